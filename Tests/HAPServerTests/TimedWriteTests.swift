import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Writes that are announced first.
///
/// HAP: §13 (timed write)
@Suite struct TimedWriteTests {
    private static let anHour: UInt64 = 3_600_000

    @Test func preparedWriteIsExecuted() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            for type in [TestAccessory.timed, TestAccessory.first] {
                let id = try await server.id(type)
                #expect(try await controller.prepare(pid: 11, ttl: Self.anHour).text == #"{"status":0}"#)
                #expect(try await controller.put(9, to: id, pid: 11).status == 204)
                #expect(await server.server.value(of: id) == 9)
            }
        }
    }

    @Test func writeWithAnotherPIDExecutesNothingAndConsumesThePreparation() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let (timed, first) = (try await server.id(TestAccessory.timed), try await server.id(TestAccessory.first))
            _ = try await controller.prepare(pid: 11, ttl: Self.anHour)
            let items = [timed, first].map { CharacteristicWriteItem(CharacteristicAddress($0), value: 9) }
            let response = try await controller.put(items, pid: 12)
            #expect(response.status == 207)
            #expect(response.statuses == [-70_410, -70_410])
            #expect(try await controller.put(items, pid: 11).statuses == [-70_410, -70_410])
            #expect(await server.server.value(of: first) == 1)
        }
    }

    @Test func preparationAllowsOneWrite() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let id = try await server.id(TestAccessory.timed)
            _ = try await controller.prepare(pid: 11, ttl: Self.anHour)
            #expect(try await controller.put(9, to: id, pid: 11).status == 204)
            #expect(try await controller.put(10, to: id, pid: 11).statuses == [-70_410])
        }
    }

    @Test func writeAfterTheTTLExecutesNothing() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let id = try await server.id(TestAccessory.timed)
            _ = try await controller.prepare(pid: 11, ttl: 1)
            // Waits: the preparation ends by the clock of the server.
            try await Task.sleep(for: .milliseconds(20))
            #expect(try await controller.put(9, to: id, pid: 11).statuses == [-70_410])
            #expect(await server.server.value(of: id) == 1)
        }
    }

    @Test func newPreparationReplacesTheOldOne() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let id = try await server.id(TestAccessory.timed)
            _ = try await controller.prepare(pid: 11, ttl: Self.anHour)
            _ = try await controller.prepare(pid: 12, ttl: Self.anHour)
            #expect(try await controller.put(9, to: id, pid: 11).statuses == [-70_410])
            _ = try await controller.prepare(pid: 11, ttl: Self.anHour)
            _ = try await controller.prepare(pid: 12, ttl: Self.anHour)
            #expect(try await controller.put(9, to: id, pid: 12).status == 204)
        }
    }

    @Test func pidWithoutPreparationExecutesNothing() async throws {
        try await TestServer.run { server in
            let (one, other) = (try await server.session(), try await server.session())
            let id = try await server.id(TestAccessory.first)
            _ = try await other.prepare(pid: 11, ttl: Self.anHour)
            #expect(try await one.put(9, to: id, pid: 11).statuses == [-70_410])
            #expect(await server.server.value(of: id) == 1)
        }
    }

    @Test func maximumTTLIsAccepted() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let id = try await server.id(TestAccessory.timed)
            _ = try await controller.prepare(pid: .max, ttl: PrepareRequest.maximumTTL)
            #expect(try await controller.put(9, to: id, pid: .max).status == 204)
        }
    }

    static let badBodies = ["", "{}", #"{"ttl":1}"#, #"{"pid":1}"#, #"{"ttl":-1,"pid":1}"#, #"{"ttl":"1","pid":1}"#]

    @Test(arguments: badBodies)
    func aMalformedPreparationIsRefused(body: String) async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let response = try await controller.request(HTTPRequest(.put, .prepare, body: Array(body.utf8)))
            #expect((response.status, response.text) == (400, #"{"status":-70410}"#))
        }
    }
}
