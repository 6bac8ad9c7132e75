import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import TestSupport
import Testing

/// Tests dumps in all shapes that occur in practice.
@Suite struct DumpShapeTests {
    private static let lamp = #"{"aid": 1, "services": [\#(services)]}"#
    private static let services = #"{"iid": 1, "type": "3E", "characteristics": [\#(characteristic)]}"#
    private static let characteristic =
        #"{"iid": 2, "type": "23", "perms": ["pr"], "format": "string", "value": "Lamp"}"#

    @Test(arguments: [
        "[\(lamp)]", #"{"accessories": [\#(lamp)]}"#, "\u{FEFF}[\(lamp)]",
        lamp, #"{"accessories": \#(lamp)}"#,
        #"{"data": {"accessories": [\#(lamp)]}}"#, #"{"data": [\#(lamp)]}"#,
        #"{"accessories": {"1": {"services": {"1": {"type": "3E", "characteristics": {"2": \#(characteristic)}}}}}}"#,
        #"{"aid": 1.0, "services": {"iid": "1", "type": "0000003e", "characteristics": \#(characteristic)}}"#,
        #"{"home_assistant": {}, "data": {"entity-map": [\#(lamp)], "config-num": 2}}"#,
        #"{"version": 1, "data": {"pairings": {"AA:BB:CC:00:00:01": {"config_num": 1, "accessories": [\#(lamp)]}}}}"#,
        #"{"AA:BB:CC:00:00:01": {"config_num": 1, "accessories": [\#(lamp)]}}"#,
    ])
    func everyShapeReadsTheSame(text: String) throws {
        let expected = try AccessoryFile.read(Array("[\(Self.lamp)]".utf8), name: "d").document
        var reading = try AccessoryFile.read(Array(text.utf8), name: "d")
        #expect(reading.kind == .dump)
        if text.contains("AA:BB") {
            #expect(reading.document.key == "Lamp AA:BB:CC:00:00:01")
            reading.document.key = expected.key
        }
        #expect(reading.document == expected)
    }

    /// The dump has numbers as strings, permissions as one string, unknown formats, reversed limits and ids of any
    /// size.
    @Test func valueOfTheWrongTypeIsServedWithAWarning() throws {
        let reading = try AccessoryFile.read(Dumps.wrongJSONTypes, name: "d")
        let accessory = try #require(reading.document.accessories.first)
        #expect(accessory.aid == .primary)
        #expect(accessory.services.map(\.iid?.rawValue) == [1, 8])
        #expect(accessory.services.last?.linked == [ServiceKey(.accessoryInformation)])
        let characteristics = accessory.services.flatMap(\.characteristics)
        #expect(characteristics.map(\.iid?.rawValue) == [2, 9, .max, 3, 4])
        #expect(characteristics.map(\.metadata.format) == [.string, .bool, .int, .float, .uint32])
        #expect(characteristics.map(\.value) == ["Misshapen", "true", "50", nil, nil])
        #expect(characteristics[2].metadata.minimum == 100 && characteristics[2].metadata.maximum == 0)
        #expect(characteristics[2].metadata.validValues == [1, 2])
        #expect(reading.document.servingErrors == [])
        #expect(
            reading.warnings.count { $0.path.hasSuffix(".characteristics[1].iid") && $0.reason.contains("left out") }
                == 1
        )
    }

    @Test(arguments: [Dumps.sharedIDs, Dumps.unhyphenatedTypes, Dumps.wrongJSONTypes])
    func oddDevicesAreWrittenAsEveryKind(dump: [UInt8]) throws {
        let document = try AccessoryFile.read(dump, name: "d").document
        #expect(document.servingErrors == [])
        for kind in AccessoryFileKind.allCases {
            let written = try AccessoryFile.write(document, as: kind, name: "d")
            let again = try AccessoryFile.read(written.bytes, name: "d").document
            let ids = document.accessories.map { $0.services.map { $0.characteristics.map(\.iid) } }
            if kind == .dump {
                #expect(written.losses == [] && again == document)
            } else if kind != .archive {
                #expect(again.accessories.map { $0.services.map { $0.characteristics.map(\.iid) } } == ids)
                #expect(
                    again.accessories.map { $0.services.map(\.iid) }
                        == document.accessories.map { $0.services.map(\.iid) }
                )
                #expect(again.servingErrors == [])
            }
        }
    }

    @Test func typeWithoutHyphensIsWrittenUnchanged() throws {
        let reading = try AccessoryFile.read(Dumps.unhyphenatedTypes, name: "d")
        let bytes = try AccessoryFile.write(reading.document, as: .dump, name: "d").bytes
        let text = String(decoding: bytes, as: UTF8.self)
        for type in [
            "34AB8811AC7F4340BAC3FD6A85F9943B", "a28e1902cfa14d37a10f0071ceeeeebd", "A28E1902CFA14D37A10F0071CEEEEEBE",
        ] {
            #expect(text.contains(#""\#(type)""#), "\(type)")
        }
        #expect(
            reading.warnings.map(\.path) == [
                "accessories[0].services[0].characteristics[1].type",
                "accessories[0].services[1].characteristics[1].type",
                "accessories[0].services[2].type",
            ]
        )
    }

    @Test func everyDeviceOfAnEntityMapIsRead() throws {
        let readings = AccessoryFile.readAll(Dumps.entityMap, name: "map")
        #expect(readings.map(\.name) == ["map#AA:BB:CC:00:00:01", "map#AA:BB:CC:00:00:02", "map#AA:BB:CC:00:00:03"])
        let documents = try readings.map { try $0.reading.get().document }
        #expect(documents.map(\.name) == ["Plug 77C1", "Bulb 0US9", "Plug 77C1"])
        #expect(
            documents.map(\.key) == [
                "Plug 77C1 AA:BB:CC:00:00:01", "Bulb 0US9 AA:BB:CC:00:00:02", "Plug 77C1 AA:BB:CC:00:00:03",
            ]
        )
        #expect(documents.allSatisfy { $0.deviceID == nil })
        for (id, document) in zip(["AA:BB:CC:00:00:01", "aa:bb:cc:00:00:02", "AA:BB:CC:00:00:03"], documents) {
            #expect(try AccessoryFile.read(Dumps.entityMap, name: "map", device: id).document == document)
        }
        let alone = AccessoryFile.readAll(Dumps.sharedIDs, name: "d")
        #expect(alone.map(\.name) == ["d"])
        #expect(try alone.first?.reading.get() == AccessoryFile.read(Dumps.sharedIDs, name: "d"))
    }

    /// Two devices have the same name and two have none.
    ///
    /// The device ID and the pairings are stored under the key, so it must not depend on the other devices in the file.
    @Test func deviceKeyIsIndependentOfOtherDevices() throws {
        let unnamed = #"{"aid": 1, "services": {"iid": 1, "type": "43", "characteristics": []}}"#
        let devices = [("A1", Self.lamp), ("A2", Self.lamp), ("A3", unnamed), ("A4", unnamed), ("a4", Self.lamp)]
        func keys(_ devices: [(id: String, accessory: String)]) throws -> [String] {
            let members = devices.map { "\"\($0.id)\": {\"accessories\": [\($0.accessory)]}" }.joined(separator: ", ")
            return try AccessoryFile.readAll(Array("{\(members)}".utf8), name: "map.json")
                .map { try $0.reading.get().document.key }
        }
        let all = ["Lamp A1", "Lamp A2", "A3", "A4", "Lamp a4"]
        #expect(try keys(devices) == all)
        #expect(try keys(devices.reversed()) == all.reversed())
        for index in devices.indices {
            #expect(try keys([devices[index]]) == [all[index]])
            #expect(try keys(Array(devices[index...])) == Array(all[index...]))
        }
    }

    /// The devices that are not chosen may be invalid.
    ///
    /// If device IDs differ only in case, the one with the exact spelling is chosen.
    @Test func onlyTheChosenDeviceIsRead() throws {
        let text = """
            {"AA": {"accessories": [\(Self.lamp)]}, "aa": {"accessories": [{"aid": 2}]}, "BB": {"accessories": [1]}}
            """
        func read(_ device: String) throws -> AccessoryFileContents {
            try AccessoryFile.read(Array(text.utf8), name: "d", device: device)
        }
        #expect(try read("AA").document.key == "Lamp AA")
        #expect(throws: DocumentError.self) { try read("aa") }
        #expect(throws: DocumentError.self) { try read("bb") }
    }

    @Test(
        arguments: [
            (
                Dumps.entityMap, nil,
                "d: the file contains 3 devices; append one of these to the file name: #AA:BB:CC:00:00:01, "
                    + "#AA:BB:CC:00:00:02,"
                    + " #AA:BB:CC:00:00:03"
            ),
            (
                Dumps.entityMap, "AA",
                "d: the file contains no device \"AA\"; append one of these to the file name: #AA:BB:CC:00:00:01,"
                    + " #AA:BB:CC:00:00:02, #AA:BB:CC:00:00:03"
            ),
            (
                Array(#"{"data": {"pairings": {}}}"#.utf8), nil,
                "d: the file contains no device; pair Home Assistant with a HomeKit device first"
            ),
            (Dumps.sharedIDs, "AA", "d: this is the dump of one device; leave #\"AA\" out of the file name"),
            (Array("accessory: Lamp".utf8), "AA", "d: this file describes one accessory server; leave #\"AA\" out"),
        ] as [([UInt8], String?, String)]
    )
    func unspecifiedDeviceIsRefused(file: [UInt8], device: String?, reason: String) {
        let error = #expect(throws: DocumentError.self) {
            try AccessoryFile.read(file, name: "d", device: device)
        }
        #expect(error?.diagnostics.map(\.description) == [reason])
    }

    @Test func warningsOfOneKindAreCounted() throws {
        func reasons(_ count: Int) throws -> [String] {
            let characteristics = (0..<count)
                .map { number in
                    let type = "\(10_000_000 + number)-0000-4000-8000-000000000000"
                    let members = #""perms": ["pr"], "format": "f\#(number)", "value": 1"#
                    return #"{"iid": \#(number + 10), "type": "\#(type)", \#(members)}"#
                }
            let dump = """
                [{"aid": 1, "services": [\(Self.services),
                  {"iid": 3, "type": "43", "characteristics": [\(characteristics.joined(separator: ","))]}]}]
                """
            let reading = try AccessoryFile.read(Array(dump.utf8), name: "d")
            #expect(reading.warnings.reduce(0) { $0 + $1.count } == 2 * count)
            let losses = try AccessoryFile.write(reading.document, as: .yaml, name: "d").losses
            #expect(losses.count <= 4)
            return reading.warnings.filter { $0.reason.contains("does not define this format") }
                .map { $0.textWithoutPosition(in: "d: ") }
        }
        let reason = "HAP does not define this format; it is served unchanged"
        let places = (0..<4).map { "d: accessories[0].services[1].characteristics[\($0)].format: \(reason)" }
        #expect(try reasons(4) == places)
        #expect(try reasons(200) == places.prefix(3) + ["d: … and 197 more like it: \(reason)"])
    }
}
