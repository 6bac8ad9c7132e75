import HAPCore
import TestSupport

extension TestController {
    /// Reads characteristics.
    func get(_ ids: [CharacteristicID], includes: ReadOptions = []) async throws -> HTTPMessage {
        try await request(.read(ids, includes: includes))
    }

    /// Reads a value; returns `nil` if there is none.
    func value(of id: CharacteristicID) async throws -> JSONValue? {
        let response = try await get([id])
        guard response.status == 200 else { throw TestFailure("a read was answered with \(response.status)") }
        return response.values[id]
    }

    /// Writes characteristics.
    func put(_ items: [CharacteristicWriteItem], pid: UInt64? = nil) async throws -> HTTPMessage {
        try await request(.write(items, pid: pid))
    }

    /// Writes one value.
    func put(_ value: JSONValue, to id: CharacteristicID, pid: UInt64? = nil) async throws -> HTTPMessage {
        try await put([CharacteristicWriteItem(CharacteristicAddress(id), value: value)], pid: pid)
    }

    /// Subscribes to characteristics, or unsubscribes if `isOn` is false.
    func subscribe(to ids: CharacteristicID..., isOn: Bool = true) async throws {
        let items = ids.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: isOn) }
        let response = try await put(items)
        guard response.status == 204 else { throw TestFailure("a subscription was answered with \(response.text)") }
    }

    /// Announces a timed write.
    func prepare(pid: UInt64, ttl: UInt64) async throws -> HTTPMessage {
        try await request(HTTPRequest(.put, .prepare, body: PrepareRequest(ttl: ttl, pid: pid).body))
    }

    /// Returns the values in the next event.
    func eventValues() async throws -> [CharacteristicID: JSONValue] {
        try await event().values
    }
}
