import AccessoryModel
import ArgumentParser
import Foundation
import HAPController
import HAPCore
import Hosting
import Resources
import Simulation
import Testing
import WebConsole

@testable import hap

/// The texts of the controller's commands for arguments and responses.
@Suite struct ControllerMessageTests {
    @Test(
        arguments: [
            (.unreachable, 69), (.timedOut, 69), (.notFound, 69), (.connectionLost, 69), (.discovery, 69),
            (.wrongCode, 2),
            (.alreadyPaired, 2), (.busy, 2), (.tooManyTries, 2), (.maxPeers, 2), (.refused(.unknown), 2),
            (.requestFailed(http: 400, nil), 2), (.wrongAccessory, 1), (.unproven(.authentication), 2),
            (.malformed(ProtocolError(.tlv, "odd", at: "M2")), 1), (.store(.damaged), 1), (.closed, 1),
            (.unknownAccessory, 64), (.unknownCharacteristic, 64), (.invalidValue, 64), (.aliasTaken, 64),
        ] as [(ControllerError.Code, Int32)]
    )
    func aFailureHasItsExitCode(code: ControllerError.Code, status: Int32) {
        let failure = CommandFailure(ControllerError(code, reason: "It\u{1B}[2J failed.", remedy: "Try again."))
        #expect(failure.code.rawValue == status)
        #expect(failure.message.hasPrefix(#"It\u{1B}[2J failed. Try again."#))
        #expect(failure.message.contains("'hap discover'") == (code == .notFound))
    }

    @Test(arguments: [
        ("4a:14:a4:8b:d4:19", "device 4A:14:A4:8B:D4:19"), ("192.168.1.20:51826", "192.168.1.20 51826"),
        ("[fe80::1%eth0]:1", "fe80::1%eth0 1"), ("garage.local:65535", "garage.local 65535"),
    ])
    func accessoryIsNamedByEndpointOrDeviceID(text: String, meaning: String) throws {
        switch try #require(AccessoryTarget(argument: text)) {
        case .device(let device): #expect("device \(device)" == meaning)
        case .address(let host, let port): #expect("\(host) \(port)" == meaning)
        case .matchingPayload: Issue.record("nothing of the kind was written")
        }
    }

    @Test(arguments: ["", "garage", "garage:0", "garage:65536", "::1:80", "4A:14:A4:8B:D4", ":80"])
    func otherTargetIsRefused(text: String) {
        #expect(AccessoryTarget(argument: text) == nil)
    }

    @Test func refusalsAreListedWithTheirStatus() throws {
        let found = try Self.foundCharacteristics()
        let results = [
            CharacteristicResult(found[0].id), CharacteristicResult(found[1].id, code: -70_402),
            CharacteristicResult(found[2].id, code: -7),
        ]
        let failure = try #require(CommandFailure(refusals: results, of: found))
        #expect(failure.code == .refused)
        #expect(
            failure.message == "Brightness (1.4): -70402 (unable to perform operation); "
                + #"Fade\u{1B} (1.5): -7 (a status that HAP does not know)."#
        )
        #expect(CommandFailure(refusals: [results[0]], of: found) == nil)
        let report = CharacteristicReport(found: found, results: results, written: [true, 5, 1], isBridge: false)
        #expect(report.text == "1.3  Light Bulb/On  true\n")
        let json = CharacteristicReport.format.json(report)
        let items = try JSONValue(parsing: Array(json.utf8)).object?["characteristics"]
        #expect(items?.array?.map { $0.object?["status"] } == [0, -70_402, -7])
        #expect(items?.array?.map { $0.object?["value"] } == [true, .null, .null])
    }

    /// The help names characteristics of the Kilgo garage by their numbers.
    @Test func helpExamplesMatchTheGarage() throws {
        var identifiers = IdentifierMap()
        var database = try AttributeDatabase([KilgoGarage.accessory()], identifiers: &identifiers)
        let garage = try RemoteDatabase.read(database.accessoriesBody(isAdmin: true))
        for match in Put.configuration.discussion.matches(of: #/([\w.]+)=([\w.%]+)/#) where match.1 != "NAME" {
            let found = try CharacteristicPath.resolve(String(match.1), in: garage)
            #expect(found.characteristic.permissions.contains(.write), "\(match.0)")
            #expect(throws: Never.self) { try found.characteristic.value(parsing: String(match.2)) }
        }
        for match in Get.configuration.discussion.matches(of: #/ (\d+\.\d+) /#) {
            let found = try CharacteristicPath.resolve(String(match.1), in: garage)
            #expect(found.characteristic.permissions.contains(.read) && found.characteristic.type != .version)
        }
    }

    @Test func listingReadsBackAsTheSameDatabase() throws {
        let accessories = try Self.accessories()
        let listing = AccessoryListing(accessories: accessories)
        let json = AccessoryListing.format.json(listing)
        #expect(try RemoteDatabase.read(Array(json.utf8)) == accessories)
        #expect(
            listing.text == #"""
                Lamp\u{A} (aid 1): Maker

                  Accessory Information
                    1.2  Name          Lamp\u{A}  pr  string
                    1.6  Manufacturer  Maker      pr  string

                  Light Bulb (primary)
                    1.3  On          true  pr pw ev  bool
                    1.4  Brightness  40 %  pr pw ev  int
                    1.5  Fade\u{1B}  –     pr        float

                """#
        )
    }

    @Test func changeIsALineAsTextAndAnObjectAsJSON() throws {
        let found = try Self.foundCharacteristics()
        let known = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        func line(_ change: AccessoryChange) -> (text: Substring, json: JSONObject?) {
            let line = WatchLine(change: change, characteristics: known, isBridge: false)
            let time = EventTime(nanoseconds: 1_000_000_000_250_000_000)
            let text = line.text(at: .now)
            #expect(text.prefix(21).wholeMatch(of: #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  /#) != nil)
            return (text.dropFirst(21), (try? JSONValue(parsing: Array(line.json(at: time).utf8)))?.object)
        }
        let value = line(.value(found[1].id, 40))
        #expect(value.text == "Light Bulb/Brightness: 40 %")
        #expect(value.json?["iid"] == 4 && value.json?["value"] == 40 && value.json?["unit"] == "percentage")
        #expect(value.json?["time"]?.string?.hasPrefix("2001-09-09T01:46:40.25") == true)
        #expect(line(.value(found[0].id, nil)).json?["value"] == .null)
        let unknown = try #require(CharacteristicID(1, 99))
        #expect(line(.value(unknown, "x\n")).text == #"1.99: "x\u{A}""#)
        #expect(line(.connected).json?["event"] == "connected")
        let lost = line(.disconnected(ControllerError(.connectionLost, reason: "Gone\n.", remedy: "")))
        #expect(lost.text == #"Connection lost; reconnecting. Gone\u{A}."#)
        #expect(lost.json?["event"] == "disconnected")
        #expect(line(.databaseChanged).json?["event"] == "databaseChanged")
    }

    private static func accessories() throws -> [RemoteAccessory] {
        let body = #"""
            {"accessories": [{"aid": 1, "services": [
              {"iid": 1, "type": "3E", "characteristics": [
                {"iid": 2, "type": "23", "perms": ["pr"], "format": "string", "value": "Lamp\n"},
                {"iid": 6, "type": "20", "perms": ["pr"], "format": "string", "value": "Maker"}]},
              {"iid": 7, "type": "43", "primary": true, "linked": [1], "characteristics": [
                {"iid": 3, "type": "25", "perms": ["pr", "pw", "ev"], "format": "bool", "value": 1},
                {"iid": 4, "type": "8", "perms": ["pr", "pw", "ev"], "format": "int", "unit": "percentage",
                 "minValue": 0, "maxValue": 100, "minStep": 1, "value": 40},
                {"iid": 5, "type": "7E536242-341C-4862-BE90-272CE15BD633", "perms": ["pr"], "format": "float",
                 "description": "Fade\u001b", "value": null}]}]}]}
            """#
        return try RemoteDatabase.read(Array(body.utf8))
    }

    /// Returns On, Brightness and Fade Rate.
    private static func foundCharacteristics() throws -> [FoundCharacteristic] {
        let found = CharacteristicPath.all(in: try accessories()).filter { $0.service.type == .lightbulb }
        try #require(found.count == 3)
        return found
    }
}
