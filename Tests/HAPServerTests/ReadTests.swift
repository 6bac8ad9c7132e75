import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// The responses to reads.
///
/// HAP: §12
@Suite struct ReadTests {
    @Test func readKeepsTheOrderAndReturnsARepeatedIDOnce() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let (lamp, first) = (try await server.lamp, try await server.id(TestAccessory.first))
            let response = try await controller.get([first, lamp, first])
            #expect(response.status == 200)
            let (one, two) = ("\(first.iid)", "\(lamp.iid)")
            #expect(
                response.text == #"{"characteristics":[{"aid":1,"iid":\#(one),"value":1},"#
                    + #"{"aid":1,"iid":\#(two),"value":0}]}"#
            )
        }
    }

    @Test func queryFlagsAddTheirMembers() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let brightness = try await server.id(.brightness, of: .lightbulb)
            try await controller.subscribe(to: brightness)
            let response = try await controller.get([brightness], includes: [.meta, .perms, .type, .ev])
            let items = try JSONValue(parsing: response.body).object?["characteristics"]?.array
            let item = try #require(items?.first?.object)
            #expect(item["type"] == "8")
            #expect(item["perms"] == ["pr", "pw", "ev"])
            #expect(item["ev"]?.hapBool == true)
            #expect(item["format"] == "int")
            #expect(item["unit"] == "percentage")
            #expect(item["minValue"] == 0)
            #expect(item["maxValue"] == 100)
            #expect(item["minStep"] == 1)
            #expect(item["value"] == 50)
            #expect(item["status"] == nil)
        }
    }

    @Test func subscriptionIsShownOnlyToItsConnection() async throws {
        try await TestServer.run { server in
            let (one, other) = (try await server.session(), try await server.session())
            let lamp = try await server.lamp
            try await one.subscribe(to: lamp)
            #expect(try await one.get([lamp], includes: .ev).text.contains(#""ev":true"#))
            #expect(try await other.get([lamp], includes: .ev).text.contains(#""ev":false"#))
        }
    }

    @Test func oneFailureGivesEveryItemAStatus() async throws {
        try await TestServer.run(pairings: [Fixture.pairing, TestServer.guestPairing]) { server in
            let guest = try await server.session(of: TestServer.guest)
            let lamp = try await server.lamp
            let unknown = try #require(CharacteristicID(1, 999))
            let ids = [
                lamp, unknown, try await server.id(TestAccessory.writeOnly),
                try await server.id(TestAccessory.adminOnly),
            ]
            let response = try await guest.get(ids)
            #expect(response.status == 207)
            #expect(response.statuses == [0, -70_409, -70_405, -70_401])
            #expect(response.values == [lamp: 0])
        }
    }

    @Test func impossibleIDsAreNotFound() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let query = Array("id=0.0,18446744073709551615.18446744073709551615,2.9".utf8)
            let response = try await controller.request(HTTPRequest(.get, .characteristics, query: query))
            #expect(response.status == 207)
            #expect(response.statuses == [-70_409, -70_409, -70_409])
        }
    }

    static let badQueries = [
        "", "id=", "id=1", "id=1.", "id=1.2,", "id=1.x", "id=-1.2", "id=1.2&id=1.3", "id=1.2&meta=2",
        "id=18446744073709551616.1", "meta=1", "id=1.2&ev=1&ev=1",
    ]

    @Test func aBadQueryRefusesTheWholeRequest() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            for query in Self.badQueries {
                let request = HTTPRequest(.get, .characteristics, query: Array(query.utf8))
                let response = try await controller.request(request)
                #expect((response.status, response.text) == (400, #"{"status":-70410}"#), "\(query)")
            }
        }
    }

    @Test func anUnknownParameterIsIgnored() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let query = Array("x=1&id=1.\(try await server.lamp.iid)".utf8)
            #expect(try await controller.request(HTTPRequest(.get, .characteristics, query: query)).status == 200)
        }
    }

    @Test func aButtonReadsAsNull() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let button = try await server.id(.programmableSwitchEvent, of: .statelessProgrammableSwitch)
            #expect(await server.server.set(1, for: button))
            let response = try await controller.get([button])
            #expect(response.status == 200)
            #expect(response.values == [button: .null])
        }
    }

    @Test func databaseOmitsAdminOnlyCharacteristicsForAGuest() async throws {
        try await TestServer.run(pairings: [Fixture.pairing, TestServer.guestPairing]) { server in
            let (admin, guest) = (try await server.session(), try await server.session(of: TestServer.guest))
            let id = try await server.id(TestAccessory.adminOnly)
            #expect(await server.server.set(77, for: id))
            #expect(try await admin.request(HTTPRequest(.get, .accessories)).text.contains(#""value":77"#))
            #expect(try await !guest.request(HTTPRequest(.get, .accessories)).text.contains(#""value":77"#))
        }
    }
}
