import HAPCore
import TestSupport

extension TestController {
    /// Reads characteristics.
    func get(_ ids: [CharacteristicID], includes: ReadInclusions = []) async throws -> HTTPMessage {
        let read = CharacteristicReadRequest(ids.map(CharacteristicAddress.init), includes: includes)
        return try await request(HTTPRequest(.get, .characteristics, query: read.query))
    }

    /// The value that a read gives, `nil` for JSON's null.
    func value(of id: CharacteristicID) async throws -> JSONValue? {
        let answer = try await get([id])
        guard answer.status == 200 else { throw TestFailure("a read was answered with \(answer.status)") }
        return try CharacteristicResponse(parsing: answer.body).items.first?.value
    }

    /// Writes characteristics.
    func put(_ items: [CharacteristicWriteItem], pid: UInt64? = nil) async throws -> HTTPMessage {
        let write = CharacteristicWriteRequest(items, pid: pid)
        return try await request(HTTPRequest(.put, .characteristics, body: write.body))
    }

    /// Writes one value.
    func put(_ value: JSONValue, to id: CharacteristicID, pid: UInt64? = nil) async throws -> HTTPMessage {
        try await put([CharacteristicWriteItem(CharacteristicAddress(id), value: value)], pid: pid)
    }

    /// Subscribes, or unsubscribes.
    func subscribe(to ids: CharacteristicID..., isOn: Bool = true) async throws {
        let items = ids.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: isOn) }
        let answer = try await put(items)
        guard answer.status == 204 else { throw TestFailure("a subscription was answered with \(answer.text)") }
    }

    /// Announces a timed write.
    func prepare(pid: UInt64, ttl: UInt64) async throws -> HTTPMessage {
        try await request(HTTPRequest(.put, .prepare, body: PrepareRequest(ttl: ttl, pid: pid).body))
    }

    /// The values of the next event.
    func eventValues() async throws -> [CharacteristicID: JSONValue] {
        try await event().values
    }
}

extension HTTPMessage {
    /// The values of a body with characteristics; those without one are left out.
    var values: [CharacteristicID: JSONValue] {
        var values: [CharacteristicID: JSONValue] = [:]
        for item in (try? CharacteristicResponse(parsing: body))?.items ?? [] {
            if let id = item.address.id, let value = item.value {
                values[id] = value
            }
        }
        return values
    }

    /// The statuses of a body with characteristics, in their order.
    var statuses: [Int64?] {
        (try? CharacteristicResponse(parsing: body))?.items.map(\.status) ?? []
    }
}
