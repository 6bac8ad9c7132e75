import AccessoryModel
import AsyncPrimitives
import Foundation
import HAPCore
import HomeModel
import HomeRuntime
import WebConsole

/// The accessories that a running `hap serve` serves, over its API.
struct ServedBackend: HomeBackend {
    let mailbox = BackendMailbox()
    private let process: RunningProcess
    /// The keys of the servers by their device IDs.
    private let keys: [DeviceID: String]

    /// Connects to the process that uses a state folder.
    ///
    /// - Throws: ``CommandFailure`` if no process does.
    init(_ process: RunningProcess) async throws(CommandFailure) {
        self.process = process
        guard let servers = try await process.request("GET", "/api/v1/servers").array else {
            throw CommandFailure.unavailable("The process has not answered with its servers; try again.")
        }
        var keys: [DeviceID: String] = [:]
        for server in servers {
            guard let id = server.object?["deviceID"]?.string.flatMap(DeviceID.init),
                let key = server.object?["key"]?.string
            else { continue }
            keys[id] = key
        }
        self.keys = keys
    }

    /// The commands for homes need only the values.
    func servers() async -> [BackendServer] { [] }

    func read(_ references: [CharacteristicReference]) async -> [CharacteristicReference: CharacteristicValue] {
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
        guard let id = json.object?["id"]?.string.flatMap(reference(of: server)), let value = json.object?["value"]
        else {
            return nil
        }
        return switch value {
        case .bool(let bool): (id, .bool(bool))
        case .number(let number): (id, .number(number))
        case .string(let text): (id, .string(text))
        case .null, .array, .object: nil
        }
    }

    /// Returns the reader of characteristics of a server that are written as `aid.iid`.
    private static func reference(of server: DeviceID) -> (String) -> CharacteristicReference? {
        { text in
            let parts = text.split(separator: ".").compactMap { UInt64($0) }
            guard parts.count == 2, let aid = AccessoryID(parts[0]), let iid = InstanceID(parts[1]) else { return nil }
            return CharacteristicReference(accessory: AccessoryReference(server: server, aid: aid), iid: iid)
        }
    }

    func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome] {
        var outcomes: [ActionResult.Outcome] = []
        for write in request.writes {
            guard let path = path(of: request.server, "characteristics/\(write.id)") else {
                outcomes.append(.unreachable("\(request.server) is not served by this process."))
                continue
            }
            do throws(CommandFailure) {
                _ = try await process.request("PUT", path) { writer in
                    writer.member("value", write.value)
                    writer.member("as", "controller")
                }
                outcomes.append(.succeeded)
            } catch {
                outcomes.append(Self.outcome(of: error))
            }
        }
        return outcomes
    }

    /// Returns the outcome of a write that has failed: refused with a HAP status, or not done.
    private static func outcome(of failure: CommandFailure) -> ActionResult.Outcome {
        guard failure.code != .unavailable else { return .unreachable(failure.message) }
        if let status = failure.message.firstMatch(of: #/-70[0-9]{3}/#), let code = Int64(status.output) {
            return .refused(code: code)
        }
        return .notSent(HomeError(.invalidValue, at: "", failure.message))
    }

    /// Sends the current values, and each change until the task is canceled.
    func observe(_ references: Set<CharacteristicReference>) async {
        for (reference, value) in await read(Array(references)) { mailbox.send(.value(reference, value)) }
        let servers = Dictionary(keys.map { ($0.value, $0.key) }) { first, _ in first }
        try? await process.client.follow("/api/v1/events?kinds=value") { data in
            guard let event = (try? JSONValue(parsing: Array(data.utf8)))?.object,
                let server = event["server"]?.string.flatMap({ servers[$0] }),
                let reference = event["characteristic"]?.string.flatMap(Self.reference(of: server)),
                references.contains(reference)
            else { return !Task.isCancelled }
            let value: CharacteristicValue? =
                switch event["value"] {
                case .bool(let bool): .bool(bool)
                case .number(let number): .number(number)
                case .string(let text): .string(text)
                default: nil
                }
            mailbox.send(.value(reference, value))
            return !Task.isCancelled
        }
    }

    private func path(of server: DeviceID, _ rest: String) -> String? {
        keys[server]?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            .map { "/api/v1/servers/\($0)/\(rest)" }
    }
}

extension HomeOptions {
    /// Runs some work with the accessories of a home: those on the network, or those of the running `hap serve`.
    func withBackend<Result: Sendable>(
        served isServed: Bool,
        _ work: (any HomeBackend) async throws -> Result
    ) async throws -> Result {
        guard isServed else {
            return try await controller.withController { controller in try await work(NetworkBackend(controller)) }
        }
        let process = RunningProcess(.serve, in: try StateLocation(controller.state).path)
        guard FileManager.default.fileExists(atPath: process.socket) else {
            throw CommandFailure.unavailable(
                "No 'hap serve' runs with the state folder \(process.folder); start one with --home, or name its folder "
                    + "with --state."
            )
        }
        return try await work(try await ServedBackend(process))
    }
}
