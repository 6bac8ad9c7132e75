import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Simulation
import TestSupport
import Testing

/// Tests reading responses to `GET /accessories`, including those that break the rules of HAP.
@Suite struct DumpReadingTests {
    @Test func dumpIsServedVerbatimUnderItsName() throws {
        let document = try read(Dumps.odd, name: "folder/attic.json").document
        #expect(document.isVerbatim)
        // No accessory has aid 1, and the first one has no name.
        #expect(document.key == "attic" && document.name == "attic")
        #expect(document.category == .bridge)
        #expect(
            document.accessories.map(\.key) == ["Accessory 6623462389072572", "Attic", "Accessory 9007199254740991"]
        )
        #expect(document.accessories.map { $0.aid?.rawValue } == [6_623_462_389_072_572, 2, 9_007_199_254_740_991])
        #expect(document.accessories.flatMap(\.services).allSatisfy { $0.simulation == .none })
        #expect(document.deviceID == nil && document.setupCode == nil && document.setupID == nil)
    }

    @Test func validValuesMayExceedTheValueLimitOfRequests() throws {
        let count = JSONLimits().maximumValues + 1
        let dump = """
            [{"aid": 1, "services": [{"iid": 10, "type": "43", "characteristics": [{"iid": 11, "type": "8", "perms": ["pr"],
            "format": "int", "value": 1, "valid-values": [\(Array(repeating: "1", count: count).joined(separator: ","))]}]}]}]
            """
        let service = try #require(try read(Array(dump.utf8)).document.accessories.first?.services.last)
        #expect(service.characteristics.map(\.metadata.validValues.count) == [count])
    }

    @Test func theNameIsThatOfTheAccessoryWithAidOne() throws {
        let dump = """
            [{"aid": 2, "services": [\(Self.information("Second"))]}, {"aid": 1, "services": [\(Self.information("First"))]}]
            """
        let document = try read(Array(dump.utf8)).document
        #expect(document.key == "First" && document.name == "First")
        #expect(document.accessories.map(\.key) == ["Second", "First"])
    }

    @Test func accessoriesOfOneNameAreDistinguished() throws {
        let dump = """
            {"accessories": [{"aid": 1, "services": [\(Self.information("Lamp"))]},
            {"aid": 3, "services": [\(Self.information("Lamp"))]}]}
            """
        #expect(try read(Array(dump.utf8)).document.accessories.map(\.key) == ["Lamp", "Lamp 2"])
    }

    @Test func unknownValueAndStepOfZeroAreServedWithAWarning() throws {
        let dump = """
            [{"aid": 1, "services": [\(Self.information("Lamp")), {"iid": 10, "type": "43", "characteristics": [
            {"iid": 11, "type": "25", "perms": ["pr", "pw", "ev"], "format": "bool", "value": null},
            {"iid": 12, "type": "8", "perms": ["pr"], "format": "int", "minStep": 0, "value": 30},
            {"iid": 13, "type": "73", "perms": ["pr", "ev"], "format": "uint8", "value": null}]}]}]
            """
        let contents = try read(Array(dump.utf8))
        #expect(contents.document.accessories[0].services[1].characteristics.count == 3)
        #expect(
            contents.warnings.map(\.reason) == [
                "its value was unknown when the dump was made; it is served as null",
                "HAP does not allow this value of minStep; it is served unchanged",
            ]
        )
    }

    @Test func secondCharacteristicOfATypeIsLeftOutWithAWarning() throws {
        let dump = """
            [{"aid": 1, "services": [\(Self.information("Lamp")), {"iid": 10, "type": "43", "characteristics": [
            {"iid": 11, "type": "25", "perms": ["pr"], "format": "bool", "value": true},
            {"iid": 12, "type": "25", "perms": ["pr"], "format": "bool", "value": false}]}]}]
            """
        let contents = try read(Array(dump.utf8))
        #expect(contents.document.accessories[0].services[1].characteristics.map(\.iid?.rawValue) == [11])
        let warning = try #require(contents.warnings.first)
        #expect(warning.reason == "the service has another On; this one is left out")
        #expect(warning.path.hasSuffix("characteristics[1]"))
    }

    @Test(arguments: ["{\"data\": {\"pairings\": %}}", "%"])
    func devicesWithoutAccessoriesAreNamedInAWarning(shape: String) throws {
        let pairings = """
            {"AA:BB:CC:DD:EE:FF": {"config_num": 1},
            "AA:BB:CC:DD:EE:F0": {"accessories": [{"aid": 1, "services": [\(Self.information("Lamp"))]}]}}
            """
        let dump = Array(shape.replacing("%", with: pairings).utf8)
        let contents = try read(dump)
        #expect(contents.document.name == "Lamp")
        let reasons = contents.warnings.map(\.reason)
        #expect(reasons == ["the file has no accessories of the devices \"AA:BB:CC:DD:EE:FF\"; they are left out"])
    }

    @Test func categoryFollowsTheFirstServiceWithACategory() throws {
        let dump = """
            [{"aid": 1, "services": [\(Self.information("Lamp")), {"iid": 9, "type": "A2", "characteristics": []},
            {"iid": 10, "type": "43", "characteristics": []}, {"iid": 11, "type": "41", "characteristics": []}]}]
            """
        #expect(try read(Array(dump.utf8)).document.category == .lighting)
    }

    @Test func oddDumpLoadsWithLocatedWarnings() throws {
        let warnings = try read(Dumps.odd, name: "odd.json").warnings
        #expect(warnings.allSatisfy { $0.severity == .warning })
        #expect(
            warnings.map { $0.textWithoutPosition(in: "") } == [
                "accessories[0].services[1].characteristics[0].value: 300 does not match its format and range; it "
                    + "is served unchanged",
                "accessories[0].services[2].characteristics[0].value: 1 does not match its format and range; it is "
                    + "served unchanged",
                "accessories[0]: it has no Accessory Information, so controllers may refuse it; it is served unchanged",
                "accessories[1].services[0].characteristics[1].value: it has a value, although it is not readable",
                "accessories[1].services[1].characteristics[0].value: 2 does not match its format and range; it is "
                    + "served unchanged",
                "… and 3 more like it: 2 does not match its format and range; it is served unchanged",
                "accessories[1].services[1].characteristics[1].perms: HAP does not define all of these "
                    + "permissions; they are served unchanged",
                "accessories[1].services[1].characteristics[1].unit: HAP does not define this unit; it is served "
                    + "unchanged",
                "accessories[1].services[2].characteristics[2].format: values are checked with the format of its "
                    + "value, float",
                "accessories[1].services[2].characteristics[2].format: HAP does not define this format; it is served "
                    + "unchanged",
                "accessories[1].services[2].characteristics[2].minValue: HAP does not allow this value of minValue; it "
                    + "is served unchanged",
                "accessories[1].services[0].characteristics[1].\"ev\": \"ev\" belongs to a connection, not to the "
                    + "device; it is left out in 2 places",
                "accessories[1].services[1].characteristics[1].\"broadcast\": HAP does not define this member; it "
                    + "is left out",
            ]
        )
    }

    @Test(arguments: [
        (#"[{"aid": 1, "services": [\n{"iid": 1, "type": "43", "characteristics": 1}]}]"#, "2:1"),
        ("\u{FEFF}{\"accessories\": {\"aid\": 1, \"services\": [{}]}}", "1:41"),
        (#"{"data": {"accessories": [{"aid": 1, "services": [{"iid": 1, "type": 3}]}]}}"#, "1:51"),
    ])
    func warningsHaveLineAndColumn(dump: String, position: String) throws {
        let text = dump.replacing(#"\n"#, with: "\n")
        let warnings: [Diagnostic]
        do throws(DocumentError) {
            warnings = try AccessoryFile.read(Array(text.utf8), name: "d").warnings
        } catch {
            warnings = error.diagnostics
        }
        let positions = warnings.compactMap(\.position).map { "\($0.line):\($0.column)" }
        #expect(positions.contains(position), "\(warnings)")
    }

    /// `hap accessories --json` adds names for its readers.
    @Test func namesInOurOwnOutputCauseNoWarning() throws {
        let dump = """
            {"accessories": [{"aid": 1, "name": "Lamp", "services": [
            {"iid": 8, "type": "3E", "name": "Accessory Information", "characteristics": []}, {"iid": 1, "type": "43", "name": "Light Bulb",
            "primary": true, "hidden": false, "characteristics": [{"iid": 2, "type": "25", "name": "On",
            "perms": ["pr", "pw", "ev"], "format": "bool", "value": 1}]}]}]}
            """
        #expect(try read(Array(dump.utf8)).warnings.map(\.description) == [])
    }

    @Test func missingMetadataComesFromTheCatalogOrTheValue() throws {
        let reading = try read(Dumps.incomplete, name: "lamp.json")
        let accessories = reading.document.accessories
        #expect(accessories.map { $0.aid?.rawValue } == [1, 2])
        #expect(reading.document.name == "Lamp")
        let characteristics = accessories[0].services.flatMap(\.characteristics)
        #expect(characteristics.map(\.metadata.format) == [.string, .bool, .int, .float])
        #expect(characteristics.map(\.permissions) == [[.read], [.read, .write, .events], [.read], [.read]])
        #expect(characteristics.map { $0.iid?.rawValue } == [2, 21, 9, 10])
        #expect(characteristics.map(\.value) == ["Lamp", true, 3, -1.5])
        #expect(
            reading.warnings.map { $0.textWithoutPosition(in: "") } == [
                "accessories[0].services[0].characteristics[0]: it has no \"format\"; the format of its type, "
                    + "string, is used",
                "accessories[0].services[0].characteristics[0]: it has no \"perms\"; those of its type are used",
                "accessories[0].services[1].characteristics[0]: it has no \"format\"; the format of its type, "
                    + "bool, is used",
                "accessories[0].services[1].characteristics[0]: it has no \"perms\"; those of its type are used",
                "accessories[0].services[1].characteristics[1]: it has no \"format\"; the format of its value, "
                    + "int, is used",
                "accessories[0].services[1].characteristics[1]: it has no \"perms\"; it can be read",
                "accessories[0].services[1].characteristics[2]: it has no \"format\"; the format of its value, "
                    + "float, is used",
                "accessories[0].services[1].characteristics[2]: it has no \"perms\"; it can be read",
                "accessories[0].services[1].characteristics[3]: this is not a characteristic with a UUID as its "
                    + "type; it is left out",
                "accessories[0].services[1].characteristics[4]: this is not a characteristic with a UUID as its "
                    + "type; it is left out",
                "accessories[0].services[2]: it has no list of characteristics",
                "accessories[0].services[1].characteristics[0]: it has no valid \"iid\"; it gets 21",
                "accessories[2]: this is not an accessory; it is left out",
                "accessories[1]: it has no valid \"aid\"; it gets 2",
            ]
        )
    }

    @Test func unaddressableObjectsAreOmittedOrGetAnID() throws {
        let dump = """
            [{"aid": 0, "services": [\(Self.information("A"))]},
             {"aid": 4, "services": [\(Self.information("B"))]},
             {"aid": 4, "services": [{"iid": 2, "type": "43", "characteristics": [
               {"iid": 2, "type": "25", "perms": [], "format": "bool"},
               {"iid": -3, "type": "26", "perms": [], "format": "bool"}]}]}]
            """
        let reading = try read(Array(dump.utf8), name: "d")
        #expect(reading.document.accessories.map(\.aid?.rawValue) == [5, 4])
        #expect(
            reading.warnings.map { $0.textWithoutPosition(in: "d: ") } == [
                "d: accessories[0].aid: an aid must be a whole number above 0; this is ignored",
                "d: accessories[2].services[0].characteristics[1].iid: an iid must be a whole number above 0; this "
                    + "is ignored",
                "d: accessories[2].services[0].iid: another object of the accessory also has the iid 2; both are "
                    + "served with it",
                "d: accessories[2].services[0].characteristics[1]: it has no valid \"iid\"; it gets 3",
                "d: accessories[2]: it has no Accessory Information, so controllers may refuse it; it is served "
                    + "unchanged",
                "d: accessories[2].aid: another accessory also has the aid 4; no controller can address this one, "
                    + "so it "
                    + "is left out",
                "d: accessories[0]: it has no valid \"aid\"; it gets 5",
            ]
        )
    }

    @Test(
        arguments: [
            (
                "[",
                "d:1:2: this is not JSON: a value is missing; write one, or dump the device again: the file may be "
                    + "cut off"
            ),
            (
                "[{\"aid\": 1,\n \"services\": [}]",
                "d:2:15: this is not JSON: no value begins like this; write a value"
            ),
            (
                "[{\"aid\": 1},\n , {}]",
                "d:2:2: this is not JSON: no value begins like this; write a value, or remove the comma in front"
            ),
            ("[{1: 2}]", "d:1:3: this is not JSON: a member begins with its key; write one in double quotes"),
            ("[{\"aid\": 01}]", "d:1:11: this is not JSON: a number begins with a needless zero; remove the zero"),
            ("[]", "d: the file contains no accessory; save the response of the device to GET /accessories"),
            ("[{}]", "d: no accessory has a service; save the response of the device to GET /accessories"),
            (
                "[{\"aid\": 1, \"services\": [],, }]",
                "d:1:28: this is not JSON: a member begins with its key; write one in double quotes, or remove the "
                    + "comma in front"
            ),
            (
                "[{\"aid\": 1, \"services\": [],},]",
                "d: no accessory has a service; save the response of the device to GET /accessories"
            ),
            (
                "[{\"aid\": NaN}]",
                "d:1:10: this is not JSON: no value begins like this; JSON has no NaN and no infinity, so write a number, "
                    + "or null"
            ),
            (
                String(decoding: Dumps.cachedAccessories, as: UTF8.self),
                "d: this is a cachedAccessories file of homebridge, which has no aid and no iid, so it cannot be "
                    + "served; pair with homebridge, and save its response to GET /accessories"
            ),
            ("[1, null]", "d: the file contains no accessory; save the response of the device to GET /accessories"),
            (
                "[\(Array(repeating: "{}", count: 151).joined(separator: ","))]",
                "d:1:1: accessories: 151 accessories are more than the 150 that HAP allows"
            ),
            (
                String(repeating: "[", count: 100_000),
                "d:1:33: this is not JSON: nested deeper than the limit, 32; dump the device again"
            ),
            (
                "[\(String(repeating: "{},", count: 400_000))1]",
                "d:1:899999: this is not JSON: more values than the limit, 300000; divide it into several files"
            ),
            (
                """
                [{"aid": 1, "services": [{"iid": 1, "type": "3E", "characteristics": [{"iid": 2, "type": "23",
                 "format": "string", "perms": ["pr"], "value": "a\(String(repeating: "\\u0301", count: 40))"}]}]}]
                """,
                "d: accessories[0].services[0].characteristics[0].value: more than 32 combining marks follow each "
                    + "other; write text that can be read"
            ),
        ] as [(String, String)]
    )
    func textThatIsNotADumpIsRefused(text: String, reason: String) {
        let error = #expect(throws: DocumentError.self) { try read(Array(text.utf8), name: "d") }
        #expect(error?.diagnostics.first { $0.severity == .error }?.description == reason)
    }

    @Test(
        arguments: [
            (" \n[{}]", AccessoryFileKind.dump),
            ("\u{FEFF}[]", .dump),
            (#"{"accessories": [{"services": [], "aid": 1}]}"#, .dump),
            (#"{"x": "\"accessory\": {", "accessories": [{"a": {"b": []}}, {"aid": 1}]}"#, .dump),
            // The definition lacks its `bridge` key.
            (#"{"accessories": [{"accessory": "x", "aid": 1, "services": [{"type": "Switch"}]}]}"#, .yaml),
            (#"[{"aid": 1, "services": []}, {"include": "x.yaml"}]"#, .yaml),
            (#"[{"aid": 1, "services": [{"include": 1}]}]"#, .dump),
            (#"{"accessories": []}"#, .yaml),
            (#"{"accessories": [{"accessory": "Lamp"}]}"#, .yaml),
            (#"{"bridge": "B", "accessories": [{"accessory": "Lamp", "aid": 2}]}"#, .yaml),
            (#"{"accessories": [{"accessory": "Lamp", "aid": 2}], "bridge": "B"}"#, .yaml),
            (#"{"accessory": "Lamp", "services": [{"aid": 1}]}"#, .yaml),
            (#"{"aid": 1, "accessories": 1, "services": [{"aid": 1}]}"#, .yaml),
            (#"{"aid": 1, "services": [{"iid": 1}]}"#, .dump),
            (#"{"accessories": {"aid": 1, "services": []}}"#, .dump),
            (#"{"accessories": {"7": {"services": [{"iid": 1}]}}}"#, .dump),
            (#"{"data": {"accessories": [{"aid": 1}]}}"#, .dump), (#"{"data": {"pairings": {}}}"#, .dump),
            (#"{"AA:BB:CC:00:00:01": {"config_num": 1, "accessories": [{"aid": 1}]}}"#, .dump),
            (#"{"accessory": "Lamp", "data": {"pairings": {}}}"#, .yaml),
            (#"{"accessories": [{"aid"#, .yaml), ("{\"a\\", .yaml), ("{", .yaml), ("accessory: Lamp", .yaml),
            ("", .yaml),
        ]
    )
    func dumpIsDistinguishedFromADefinition(text: String, kind: AccessoryFileKind) {
        #expect(AccessoryFile.kind(of: Array(text.utf8)) == kind)
    }

    /// No id follows the maximum, so the free id 2 is assigned.
    @Test func idIsAssignedEvenIfTheMaximumIsUsed() throws {
        let dump = """
            [{"services": [\(Self.information("A"))]}, {"aid": 9007199254740991, "services": [
              {"iid": 9007199254740991, "type": "3E", "characteristics": [{"type": "23", "perms": ["pr"], "format": "string"}]},
              {"iid": 1, "type": "43", "characteristics": []}]}]
            """
        let accessories = try read(Array(dump.utf8)).document.accessories
        #expect(accessories.map(\.aid?.rawValue) == [1, 9_007_199_254_740_991])
        #expect(accessories[1].services[0].characteristics.map(\.iid?.rawValue) == [2])
    }

    @Test func valueOfTheWrongTypeIsNotReportedAsMissing() throws {
        let dump = """
            [{"aid": 1, "services": [{"iid": 1, "type": "43", "characteristics": [
              {"iid": 2, "type": "25", "perms": "pr", "format": 1, "description": 2}]}]}]
            """
        #expect(
            try read(Array(dump.utf8), name: "d").warnings.map { $0.textWithoutPosition(in: "d: ") } == [
                "d: accessories[0].services[0].characteristics[0].format: a format must be a text; the format "
                    + "of its type, bool, is used",
                "d: accessories[0].services[0].characteristics[0].perms: permissions must be a list of texts; it is "
                    + "served as a list of pr",
                "d: accessories[0].services[0].characteristics[0].description: a description must be a text; this is "
                    + "served unchanged",
                "d: accessories[0]: it has no Accessory Information, so controllers may refuse it; it is served "
                    + "unchanged",
            ]
        )
    }

    @Test(.enabled(if: !Dumps.real.isEmpty, "the dumps are not in the repository"))
    func realDevicesLoad() throws {
        let readings = try Dumps.real.mapValues { try read($0) }
        let bridge = try #require(readings["hue_bridge.json"])
        #expect(bridge.document.name == "Philips hue - 482544" && bridge.document.category == .bridge)
        #expect(bridge.document.accessories.count == 15)
        let light = try #require(readings["koogeek_ls1.json"])
        #expect(light.document.name == "Koogeek-LS1-20833F" && light.document.category == .lighting)
        let thermostat = try #require(readings["ecobee3.json"])
        #expect(thermostat.document.name == "HomeW" && thermostat.document.accessories.count == 4)
    }

    static func information(_ name: String) -> String {
        """
        {"iid": 1, "type": "3E", "characteristics": [
          {"iid": 2, "type": "23", "perms": ["pr"], "format": "string", "value": "\(name)"}]}
        """
    }

    private func read(_ bytes: [UInt8], name: String = "dump.json") throws -> AccessoryFileContents {
        let reading = try AccessoryFile.read(bytes, name: name)
        #expect(reading.kind == .dump)
        return reading
    }
}

extension Diagnostic {
    /// Returns the description without line and column, and with `beginning` in place of the file name.
    func textWithoutPosition(in beginning: String) -> String {
        path.isEmpty ? "\(beginning)\(reason)" : "\(beginning)\(path): \(reason)"
    }
}
