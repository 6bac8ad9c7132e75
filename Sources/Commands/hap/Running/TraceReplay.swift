import AccessoryModel
import HAPController
import HAPCore
import WebConsole

/// The requests of a recorded session, translated to the characteristics of another accessory.
///
/// A characteristic of the trace corresponds to one with the same type, in a service of the same type, and with the same
/// number among these: the second On in a Light Bulb corresponds to the second one of the accessory.
struct TraceReplay: Sendable {
    /// A characteristic of the trace with the corresponding one of the accessory.
    struct Item: Sendable, Hashable {
        var recorded: CharacteristicID
        var target: CharacteristicID
        /// The value to write, or `nil` for a read.
        var value: JSONValue?
        /// Whether the controller subscribes or unsubscribes.
        var ev: Bool?
    }

    /// The recorded result of an item.
    struct Expectation: Sendable, Hashable {
        var code: Int64
        var value: JSONValue?
    }

    /// A request to repeat.
    struct Step: Sendable {
        /// The request as it was recorded, such as `GET /characteristics?id=1.9`.
        var title: String
        var isWrite: Bool
        var items: [Item]
        /// The recorded results, by the recorded characteristic; empty if the response is missing.
        var expected: [CharacteristicID: Expectation]
    }

    /// The requests to repeat, in their order.
    private(set) var steps: [Step] = []
    /// The characteristics of the session that the accessory does not have, by name.
    private(set) var unmatched: [String] = []
    /// The number of requests that are not repeated: those that pair, identify, subscribe or prepare a timed write.
    private(set) var skippedCount = 0

    /// Translates a session.
    ///
    /// - Parameters:
    ///   - records: The records of the trace.
    ///   - session: The session, with its server.
    ///   - accessories: The accessories on which the requests are repeated.
    init(_ records: [TraceRecord], of session: TraceSession, on accessories: [RemoteAccessory]) {
        let body = records.last { $0.kind == .accessories && $0.server == session.server }?.body
        let recorded = body.flatMap { try? RemoteDatabase.read($0.encoded) } ?? []
        let places = CharacteristicPlace.all(in: recorded)
        let targets = Dictionary(
            CharacteristicPlace.all(in: accessories).map { ($0.value, $0.key) },
            uniquingKeysWith: { first, _ in first }
        )
        let own = records.filter { $0.server == session.server && $0.connection == session.connection }
        let responses = Self.responses(to: own)
        var missing: Set<CharacteristicID> = []
        for (index, record) in own.enumerated() where record.kind == .request && record.controller != nil {
            let response = responses[index]
            guard record.path == "/characteristics", let method = record.method, method == "GET" || method == "PUT"
            else {
                skippedCount += record.path == "/accessories" ? 0 : 1
                continue
            }
            let isWrite = method == "PUT"
            var step = Step(title: record.title, isWrite: isWrite, items: [], expected: [:])
            for item in isWrite ? Self.writes(in: record.body) : Self.reads(in: record.query ?? "") {
                guard let place = places[item.recorded], let target = targets[place] else {
                    if missing.insert(item.recorded).inserted {
                        unmatched.append(places[item.recorded]?.description ?? item.recorded.description)
                    }
                    continue
                }
                var item = item
                item.target = target
                step.items.append(item)
            }
            // Subscriptions are not repeated: their events would come later.
            if isWrite { step.items.removeAll { $0.value == nil } }
            if let response { step.expected = Self.results(in: response, of: step.items) }
            if step.items.isEmpty {
                skippedCount += 1
            } else {
                steps.append(step)
            }
        }
    }

    /// Returns the next response after each record of a session, or `nil` if none follows.
    private static func responses(to records: [TraceRecord]) -> [TraceRecord?] {
        var next: TraceRecord?
        var responses: [TraceRecord?] = []
        for record in records.reversed() {
            responses.append(next)
            if record.kind == .response { next = record }
        }
        return responses.reversed()
    }

    private static func reads(in query: String) -> [Item] {
        let ids = query.split(separator: "&").first { $0.hasPrefix("id=") }?.dropFirst(3) ?? ""
        return ids.split(separator: ",").compactMap { CharacteristicID(parsing: $0) }
            .map { Item(recorded: $0, target: $0) }
    }

    private static func writes(in body: JSONValue?) -> [Item] {
        (body?.object?["characteristics"]?.array ?? [])
            .compactMap { entry in
                guard let object = entry.object, let id = CharacteristicID(object) else { return nil }
                return Item(recorded: id, target: id, value: object["value"], ev: object["ev"]?.hapBool)
            }
    }

    /// Returns the recorded result of each item; a response without a body means that all writes succeeded.
    private static func results(in response: TraceRecord, of items: [Item]) -> [CharacteristicID: Expectation] {
        var results: [CharacteristicID: Expectation] = [:]
        for entry in response.body?.object?["characteristics"]?.array ?? [] {
            guard let object = entry.object, let id = CharacteristicID(object) else { continue }
            let code = object["status"]?.number?.integer(as: Int64.self) ?? 0
            results[id] = Expectation(code: code, value: object["value"])
        }
        guard results.isEmpty, let status = response.status else { return results }
        // Without items, a success counts for all of them, and so does the status of a refusal.
        let code = response.body?.object?["status"]?.number?.integer(as: Int64.self) ?? -70_402
        for item in items { results[item.recorded] = Expectation(code: status < 300 ? 0 : code, value: nil) }
        return results
    }
}

/// A recorded session.
struct TraceSession: Sendable, Hashable {
    var server: String
    var connection: UInt64
    var controller: String
    /// The number of requests.
    var requestCount: Int

    /// Returns the verified sessions of a trace, in the order in which they begin.
    static func all(in records: [TraceRecord]) -> [TraceSession] {
        struct Key: Hashable {
            let server: String
            let connection: UInt64
        }
        var sessions: [TraceSession] = []
        var places: [Key: Int] = [:]
        for record in records where record.kind == .request {
            guard let server = record.server, let connection = record.connection, let controller = record.controller
            else {
                continue
            }
            let key = Key(server: server, connection: connection)
            if let index = places[key] {
                sessions[index].requestCount += 1
            } else {
                places[key] = sessions.count
                sessions.append(
                    TraceSession(server: server, connection: connection, controller: controller, requestCount: 1)
                )
            }
        }
        return sessions
    }
}

extension TraceRecord {
    /// The request in one line, or the status of a response.
    var title: String {
        switch kind {
        case .request: "\(method ?? "") \(path ?? "")\(query.map { "?\($0)" } ?? "")"
        case .response: status.map(String.init) ?? ""
        case .event: "EVENT"
        case .received, .sent: "\(source ?? "") → \(destination ?? "") \(path ?? "")"
        case .trace, .accessories, .closed, .dropped: kind.rawValue
        }
    }
}

/// The place of a characteristic among those of the same types.
private struct CharacteristicPlace: Hashable, CustomStringConvertible {
    struct Types: Hashable {
        let service: ServiceType
        let characteristic: CharacteristicType
    }

    let types: Types
    /// How many services of the type with this characteristic precede it.
    let number: Int

    var description: String {
        let name = "\(types.service)/\(types.characteristic)"
        return number == 0 ? name : "\(name) (\(number + 1))"
    }

    /// Returns the places of all characteristics.
    static func all(in accessories: [RemoteAccessory]) -> [CharacteristicID: CharacteristicPlace] {
        var counts: [Types: Int] = [:]
        var places: [CharacteristicID: CharacteristicPlace] = [:]
        for found in CharacteristicPath.all(in: accessories) {
            let types = Types(service: found.service.type, characteristic: found.characteristic.type)
            let number = counts[types, default: 0]
            counts[types] = number + 1
            places[found.id] = CharacteristicPlace(types: types, number: number)
        }
        return places
    }
}

extension CharacteristicID {
    /// Reads the members `aid` and `iid` of an object.
    fileprivate init?(_ object: JSONObject) {
        guard let aid = object["aid"]?.unsigned, let iid = object["iid"]?.unsigned else { return nil }
        self.init(aid, iid)
    }
}
