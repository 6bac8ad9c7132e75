import HAPCore
import TestSupport

extension TestController {
    /// Reads characteristics.
    func get(_ ids: [CharacteristicID], includes: ReadInclusions = []) async throws -> HTTPMessage {
        try await request(.read(ids, includes: includes))
    }

    /// The value that a read gives, `nil` when there is none.
    func value(of id: CharacteristicID) async throws -> JSONValue? {
        let answer = try await get([id])
        guard answer.status == 200 else { throw TestFailure("a read was answered with \(answer.status)") }
        return answer.values[id]
    }

    /// Writes characteristics.
    func put(_ items: [CharacteristicWriteItem], pid: UInt64? = nil) async throws -> HTTPMessage {
        try await request(.write(items, pid: pid))
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
