import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

@testable import Simulation

/// The status of each item of a write.
///
/// HAP: §13, §15
@Suite struct WriteStatusTests {
    private static func item(
        _ id: CharacteristicID,
        _ value: JSONValue? = nil,
        ev: Bool? = nil,
        authData: String? = nil,
        r: Bool = false
    ) -> CharacteristicWriteItem {
        CharacteristicWriteItem(CharacteristicAddress(id), value: value, ev: ev, authData: authData, r: r)
    }

    /// The expected result of one item of a controller's write.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let type: CharacteristicType
        var value: JSONValue?
        var ev: Bool?
        var authData: String?
        var r = false
        var isGuest = false
        let status: HAPStatus

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "a guest writes what is for admins",
            type: TestAccessory.adminOnly,
            value: 2,
            isGuest: true,
            status: .insufficientPrivileges
        ),
        Row(
            name: "a guest subscribes to what is for admins",
            type: TestAccessory.adminOnly,
            ev: true,
            isGuest: true,
            status: .insufficientPrivileges
        ),
        Row(name: "what cannot be written", type: TestAccessory.readOnly, value: 2, status: .readOnly),
        Row(name: "r without wr", type: TestAccessory.first, value: 2, r: true, status: .writeOnly),
        Row(name: "no events", type: TestAccessory.silent, ev: true, status: .notificationNotSupported),
        Row(name: "no events to end", type: TestAccessory.silent, ev: false, status: .notificationNotSupported),
        Row(name: "out of range", type: TestAccessory.first, value: 101, status: .invalidValue),
        Row(name: "negative", type: TestAccessory.first, value: -1, status: .invalidValue),
        Row(name: "a text for a number", type: TestAccessory.first, value: "1", status: .invalidValue),
        Row(name: "a fraction for an integer", type: TestAccessory.first, value: 1.5, status: .invalidValue),
        Row(name: "null", type: TestAccessory.first, value: .null, status: .invalidValue),
        Row(name: "neither value nor ev", type: TestAccessory.first, status: .invalidValue),
        Row(name: "not Base64", type: TestAccessory.data, value: "*", status: .invalidValue),
        Row(
            name: "authData that is not Base64",
            type: TestAccessory.authorized,
            value: 2,
            authData: "*",
            status: .invalidValue
        ),
        Row(name: "a timed write that was not announced", type: TestAccessory.timed, value: 2, status: .invalidValue),
    ]

    @Test func everyRefusalHasItsStatusAndChangesNothing() async throws {
        try await TestServer.run(pairings: [Fixture.pairing, TestServer.guestPairing]) { server in
            let admin = try await server.session()
            let guest = try await server.session(of: TestServer.guest)
            for row in Self.rows where row.type != TestAccessory.first || !row.r {
                let id = try await server.id(row.type)
                let before = await server.server.value(of: id)
                let item = Self.item(id, row.value, ev: row.ev, authData: row.authData, r: row.r)
                let response = try await (row.isGuest ? guest : admin).put([item])
                #expect(response.status == 207, "\(row.name)")
                #expect(response.statuses == [Int64(row.status.rawValue)], "\(row.name)")
                #expect(await server.server.value(of: id) == before, "\(row.name)")
            }
        }
    }

    @Test func eachStatusOfARefusedRequestIsReportedOnce() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let (lamp, readOnly) = (try await server.lamp, try await server.id(TestAccessory.readOnly))
            let (first, second) = (try await server.id(TestAccessory.first), try await server.id(TestAccessory.second))
            _ = try await controller.put([
                Self.item(first, 101), Self.item(second, 101), Self.item(lamp, true), Self.item(readOnly, 1),
            ])
            _ = try await controller.put([Self.item(lamp, true), Self.item(lamp, false)])
            _ = try await controller.put([Self.item(try await server.id(TestAccessory.silent), ev: true)])
            let refusals = server.journal.events.compactMap { event in
                if case .writeRefused(_, let id, let status) = event { "\(id) \(status.rawValue)" } else { nil }
            }
            #expect(refusals == ["\(first) -70410", "\(readOnly) -70404", "\(lamp) -70410"])
        }
    }

    @Test func unsupportedWriteResponseIsAnErrorAlthoughTheValueIsWritten() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let id = try await server.id(TestAccessory.first)
            let response = try await controller.put([Self.item(id, 2, r: true)])
            #expect(response.status == 207)
            #expect(response.text == #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"status":-70405}]}"#)
            #expect(await server.server.value(of: id) == 2)
        }
    }

    @Test func anUnknownCharacteristicDoesNotExist() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            for (aid, iid): (UInt64, UInt64) in [(1, 999), (2, 1), (0, 0), (.max, .max), (1, 1)] {
                let item = CharacteristicWriteItem(CharacteristicAddress(aid: aid, iid: iid), value: 1)
                let response = try await controller.put([item])
                #expect(response.text == #"{"characteristics":[{"aid":\#(aid),"iid":\#(iid),"status":-70409}]}"#)
            }
        }
    }

    @Test func oneFailureKeepsOtherWritesAndGivesEveryItemAStatus() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let (lamp, readOnly) = (try await server.lamp, try await server.id(TestAccessory.readOnly))
            let response = try await controller.put([Self.item(readOnly, 1), Self.item(lamp, true)])
            #expect(response.status == 207)
            #expect(response.statuses == [-70_404, 0])
            #expect(await server.server.value(of: lamp) == true)
        }
    }

    @Test func aWriteThatSucceedsHasNoBody() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let lamp = try await server.lamp
            for value: JSONValue in [true, false, 1, 0] {
                #expect(try await controller.put(value, to: lamp) == HTTPMessage(.response, status: 204))
            }
        }
    }

    @Test func anEmptyListIsWrittenWithSuccess() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            #expect(try await controller.put([]).status == 204)
        }
    }

    @Test func writeResponseReturnsTheValueEvenUnrequested() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let id = try await server.id(TestAccessory.writeResponse)
            for (value, r) in [(7 as JSONValue, true), (8, false)] {
                let response = try await controller.put([Self.item(id, value, r: r)])
                #expect(response.status == 207)
                #expect(response.statuses == [0])
                #expect(response.values == [id: value])
            }
        }
    }

    @Test func repeatedCharacteristicRefusesTheWholeRequest() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let lamp = try await server.lamp
            let response = try await controller.put([Self.item(lamp, true), Self.item(lamp, false)])
            #expect(response.status == 422)
            #expect(response.text == #"{"status":-70410}"#)
            #expect(await server.server.value(of: lamp) == false)
        }
    }

    @Test func anItemMayWriteAndSubscribe() async throws {
        try await TestServer.run { server in
            let (writer, other) = (try await server.session(), try await server.session())
            let lamp = try await server.lamp
            #expect(try await writer.put([Self.item(lamp, true, ev: true)]).status == 204)
            #expect(try await other.put(false, to: lamp).status == 204)
            #expect(try await writer.eventValues() == [lamp: 0])
        }
    }

    static let badBodies = [
        "", "[]", "{}", "{", #"{"characteristics":{}}"#, #"{"characteristics":[1]}"#,
        #"{"characteristics":[{"aid":1}]}"#, #"{"characteristics":[{"aid":"1","iid":2}]}"#,
        #"{"characteristics":[{"aid":1,"iid":2,"ev":"x"}]}"#, #"{"characteristics":[]}x"#,
        #"{"characteristics":[],"pid":"x"}"#,
    ]

    @Test func aMalformedBodyRefusesTheWholeRequest() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            for body in Self.badBodies {
                let request = HTTPRequest(.put, .characteristics, body: Array(body.utf8))
                let response = try await controller.request(request)
                #expect((response.status, response.text) == (400, #"{"status":-70410}"#), "\(body)")
            }
        }
    }

    @Test func lockedDoorStaysClosed() async throws {
        try await TestServer.run([KilgoGarage.accessory(door: .init(travel: .zero, lockTravel: .zero))]) { server in
            let controller = try await server.session()
            let lock = try await server.id(.lockTargetState, of: .garageDoorOpener, in: KilgoGarage.name)
            let target = try await server.id(.targetDoorState, of: .garageDoorOpener, in: KilgoGarage.name)
            let light = try await server.id(.on, of: .lightbulb, in: KilgoGarage.name)
            #expect(try await controller.put(1, to: lock).status == 204)
            let response = try await controller.put([Self.item(target, 0), Self.item(light, true)])
            #expect(response.status == 207)
            #expect(response.statuses == [-70_412, 0])
            #expect(try await controller.value(of: target) == 1)
        }
    }

    @Test(arguments: [(false, 204, 55), (true, 207, 50)])
    func valueBetweenStepsIsRoundedUnlessStrict(isStrict: Bool, status: Int, value: Int64) async throws {
        var stepped = TestAccessory.accessory()
        stepped.services.append(
            Service(
                .lightbulb,
                subtype: "stepped",
                characteristics: [
                    Characteristic(cataloged: .on, value: false),
                    Characteristic(
                        type: .brightness,
                        permissions: [.read, .write, .events],
                        metadata: CharacteristicMetadata(format: .int, minimum: 0, maximum: 100, step: 5),
                        value: 50
                    ),
                ]
            )
        )
        try await TestServer.run([stepped], configuration: .testing.with(\.isStrict, isStrict)) { server in
            let controller = try await server.session()
            let reference = CharacteristicKey(
                accessory: TestAccessory.key,
                service: ServiceKey(.lightbulb, subtype: "stepped"),
                type: .brightness
            )
            let id = try #require(await server.server.id(of: reference))
            #expect(try await controller.put(54, to: id).status == status)
            #expect(await server.server.value(of: id) == .integer(value))
        }
    }
}
