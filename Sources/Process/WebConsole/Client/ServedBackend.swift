package import AccessoryModel
internal import AsyncPrimitives
internal import Documents
internal import FoundationEssentials
internal import HAPCore
package import HomeModel
package import HomeRuntime
package import Hosting
internal import Resources

/// The accessories that a running `hap serve` serves, over its API.
package struct ServedBackend: HomeBackend {
    package let mailbox = BackendMailbox()
    private let process: RunningProcess
    /// The keys of the servers by their device IDs.
    private var keys: [DeviceID: String]

    /// Connects to the process that uses a state folder.
    ///
    /// - Throws: ``HostError`` if no process does.
    package init(_ process: RunningProcess) async throws(HostError) {
        self.process = process
        keys = try await Self.keys(of: process)
    }

    /// Returns the keys of the servers that a process serves now.
    private static func keys(of process: RunningProcess) async throws(HostError) -> [DeviceID: String] {
        let servers = try await process.servers().compactMap { server in server.deviceID.map { ($0, server.key) } }
        return Dictionary(servers) { _, last in last }
    }

    /// The commands for homes need only the values.
    package func servers() async -> [BackendServer] { [] }

    package func read(_ references: [CharacteristicReference]) async -> [CharacteristicReference: CharacteristicValue] {
        var values: [CharacteristicReference: CharacteristicValue] = [:]
        for (server, wanted) in Dictionary(grouping: references, by: \.accessory.server) {
            guard let path = path(of: server, "accessories"),
                let accessories = try? await process.request("GET", path).array
            else { continue }
            let wanted = Set(wanted)
            for accessory in accessories {
                for service in accessory.object?["services"]?.array ?? [] {
                    for characteristic in service.object?["characteristics"]?.array ?? [] {
                        guard let (reference, value) = Self.reading(characteristic, of: server),
                            wanted.contains(reference)
                        else { continue }
                        values[reference] = value
                    }
                }
            }
        }
        return values
    }

    private static func reading(_ json: JSONValue, of server: DeviceID) -> (
        CharacteristicReference, CharacteristicValue
    )? {
        guard let id = json.object?["id"]?.string.flatMap(reference(of: server)),
            let value = CharacteristicValue(json.object?["value"])
        else { return nil }
        return (id, value)
    }

    /// Returns the reader of characteristics of a server that are written as `aid.iid`.
    private static func reference(of server: DeviceID) -> (String) -> CharacteristicReference? {
        { text in
            let parts = text.split(separator: ".").compactMap { UInt64($0) }
            guard parts.count == 2, let aid = AccessoryID(parts[0]), let iid = InstanceID(parts[1]) else { return nil }
            return CharacteristicReference(accessory: AccessoryReference(server: server, aid: aid), iid: iid)
        }
    }

    package func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome] {
        func all(_ outcome: ActionResult.Outcome) -> [ActionResult.Outcome] {
            Array(repeating: outcome, count: request.writes.count)
        }
        guard let path = path(of: request.server, "characteristics") else {
            return all(.unreachable("\(request.server) is not served by this process."))
        }
        do throws(HostError) {
            let writes = request.writes.map { write in
                DocumentTree.map([
                    .init("characteristic", .text(write.id.description)),
                    .init("value", Format.value.write(write.value)),
                ])
            }
            let answer = try await process.request("PUT", path, .map([.init("writes", .list(writes))]))
            let outcomes = (answer.array ?? [])
                .compactMap { $0.object?["status"]?.number?.integer(as: Int64.self) }
                .map { ActionResult.Outcome(code: $0) }
            guard outcomes.count == request.writes.count else {
                return all(.unreachable("The process has not answered with a status for each value."))
            }
            return outcomes
        } catch  where error.code == .unavailable {
            return all(.unreachable(error.message))
        } catch {
            return all(.notSent(HomeError(.invalidValue, at: "", error.message)))
        }
    }

    /// Sends the current values, and each change until the task is canceled.
    ///
    /// If the process ends, its servers are reported as unreachable until it runs again and serves them.
    package func observe(_ references: Set<CharacteristicReference>) async {
        let servers = Set(references.map(\.accessory.server)).sorted { $0.description < $1.description }
        var lost: Set<DeviceID> = []
        while !Task.isCancelled {
            // The process may serve other accessories than before.
            if let keys = try? await Self.keys(of: process), let position = await latestEvent() {
                var current = self
                current.keys = keys
                for server in servers where keys[server] != nil && lost.remove(server) != nil {
                    mailbox.send(.reachable(server))
                }
                // The values are read after the position is known, so no change between them is lost.
                for (reference, value) in await current.read(Array(references)) {
                    mailbox.send(.value(reference, value))
                }
                await current.follow(references, after: position)
                guard !Task.isCancelled else { return }
            }
            let reason = "'hap serve' has ended; waiting until it runs again."
            for server in servers where lost.insert(server).inserted { mailbox.send(.unreachable(server, reason)) }
            try? await Task.sleep(for: Self.reconnectionDelay)
        }
    }

    /// The time after which a process that has ended is looked for again.
    private static let reconnectionDelay = Duration.milliseconds(500)

    /// Returns the id of the latest event, or `nil` if the process does not answer.
    private func latestEvent() async -> UInt64? {
        guard let events = try? await process.request("GET", "/api/v1/events/latest?limit=1").array else { return nil }
        return events.last?.object?["id"]?.number?.integer(as: UInt64.self) ?? 0
    }

    /// Sends each change after an event, until the process ends or the task is canceled.
    private func follow(_ references: Set<CharacteristicReference>, after position: UInt64) async {
        let servers = Dictionary(keys.map { ($0.value, $0.key) }) { first, _ in first }
        try? await process.client.follow("/api/v1/events?kinds=value&after=\(position)") { data in
            guard let event = (try? JSONValue(parsing: Array(data.utf8)))?.object,
                let server = event["server"]?.string.flatMap({ servers[$0] }),
                let reference = event["characteristic"]?.string.flatMap(Self.reference(of: server)),
                references.contains(reference)
            else { return !Task.isCancelled }
            mailbox.send(.value(reference, CharacteristicValue(event["value"])))
            return !Task.isCancelled
        }
    }

    private func path(of server: DeviceID, _ rest: String) -> String? {
        keys[server].map { "/api/v1/servers/\($0.percentEncoded)/\(rest)" }
    }
}

extension CharacteristicValue {
    /// Creates a value from JSON of the API, or returns `nil` if it is not a value.
    fileprivate init?(_ json: JSONValue?) {
        switch json {
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .null, .array, .object, nil: return nil
        }
    }
}
