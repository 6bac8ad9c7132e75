import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Simulation
import TestSupport
import Testing

/// Tests how dumps are written, and which losses are reported.
@Suite struct DumpWritingTests {
    @Test func dumpSurvivesTheRoundTrip() throws {
        let document = try AccessoryFile.read(Dumps.odd, name: "odd.json").document
        let (bytes, losses) = try AccessoryFile.write(document, as: .dump, name: "odd.json")
        #expect(losses == [])
        #expect(try AccessoryFile.read(bytes, name: "odd.json").document == document)
        let dumped = try JSONValue(parsing: Dumps.odd).accessoriesForComparison(dropping: ["ev", "broadcast"])
        #expect(try JSONValue(parsing: bytes).accessoriesForComparison() == dumped)
    }

    @Test(.enabled(if: !Dumps.real.isEmpty, "the dumps are not in the repository"))
    func realDumpsSurviveTheRoundTrip() throws {
        for (name, dump) in Dumps.real {
            let document = try AccessoryFile.read(dump, name: name).document
            let (bytes, losses) = try AccessoryFile.write(document, as: .dump, name: name)
            #expect(losses == [])
            #expect(try AccessoryFile.read(bytes, name: name).document == document)
            let dumped = try JSONValue(parsing: dump).accessoriesForComparison()
            #expect(try JSONValue(parsing: bytes).accessoriesForComparison() == dumped)
        }
    }

    @Test func idsMatchAFirstStartAndValuesArePresent() throws {
        let (bytes, losses) = try AccessoryFile.write(.garage, as: .dump, name: "garage.json")
        let document = try AccessoryFile.read(bytes, name: "garage.json").document
        #expect(document.name == KilgoGarage.name && document.category == .garageDoorOpener)
        #expect(document.accessories.map(\.aid) == [.primary])
        let services = try #require(document.accessories.first).services
        let ids = services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }.map { $0?.rawValue }
        #expect(ids == (1...UInt64(ids.count)).map { $0 })
        let names = services.flatMap(\.characteristics).filter { $0.type == .name }.map(\.value)
        #expect(names.first == .string(KilgoGarage.name))
        #expect(
            losses.map { "\($0)" } == [
                "garage.json: deviceID: the device ID 11:22:33:AA:BB:CC becomes none",
                "garage.json: setupCode: the setup code is lost",
                "garage.json: setupID: the setup ID CBRG becomes none",
                "garage.json: configuration: the configuration number 3 becomes none",
                "garage.json: Kilgo Garage/Accessory Information/Model: the minimum length 1 becomes none",
                "garage.json: Kilgo Garage/Accessory Information/Serial Number: the minimum length 2 becomes"
                    + " none",
                "garage.json: Kilgo Garage/Garage Door Opener: its simulation is lost",
                "garage.json: Kilgo Garage/Light Bulb: its simulation is lost",
            ]
        )
    }

    @Test func lossesOfADumpAreReported() throws {
        var document = AccessoryDocument.garage
        document.accessories[0].services[3].characteristics[5].value = 0.7
        document.accessories[0].services[3].characteristics[1].adminOnly = .write
        let losses = try AccessoryFile.write(document, as: .dump, name: "garage.json").losses.map(\.description)
        let before = try AccessoryFile.write(.garage, as: .dump, name: "garage.json").losses.map(\.description)
        #expect(
            Set(losses).subtracting(before) == [
                "garage.json: Kilgo Garage/Light Bulb/On: the access that only admins have is lost",
                "garage.json: Kilgo Garage/Light Bulb/7E536242-341C-4862-BE90-272CE15BD633: its value becomes"
                    + " 0.5",
            ]
        )
    }

    @Test func eachLineIsOneCharacteristic() throws {
        let dump =
            #"[{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":[{"iid":2,"type":"23","perms":["pr"],"#
            + #""format":"string","value":"Lamp"}]}]}]"#
        let document = try AccessoryFile.read(Array(dump.utf8), name: "lamp.json").document
        let bytes = try AccessoryFile.write(document, as: .dump, name: "lamp.json").bytes
        #expect(
            String(decoding: bytes, as: UTF8.self) == #"""
                {
                  "accessories": [
                    {
                      "aid": 1,
                      "services": [
                        {
                          "iid": 1,
                          "type": "3E",
                          "primary": false,
                          "hidden": false,
                          "linked": [],
                          "characteristics": [
                            {"iid":2,"type":"23","perms":["pr"],"value":"Lamp","format":"string"}
                          ]
                        }
                      ]
                    }
                  ]
                }

                """#
        )
    }

    /// A device responds with an object, not with a list.
    @Test func dumpHasTheShapeOfAnAccessoriesResponse() throws {
        let bytes = try AccessoryFile.write(.garage, as: .dump, name: "garage.json").bytes
        let root = try JSONValue(parsing: bytes).object
        #expect(root?.members.map(\.key) == ["accessories"])
        #expect(root?["accessories"]?.array?.count == 1)
    }

    /// A server refuses such an export, so the writer must warn about it.
    @Test func unservableExportIsReported() throws {
        let dump = """
            [{"aid": 1, "services": [\(DumpReadingTests.information("A"))]},
             {"aid": 2, "services": [{"iid": 8, "type": "43", "characteristics": []}]}]
            """
        let document = try AccessoryFile.read(Array(dump.utf8), name: "d.json").document
        let losses = try AccessoryFile.write(document, as: .archive, name: "d").losses.map(\.description)
        let end =
            "the new file cannot be served, because this format has no \"verbatim\"; convert to .yaml instead:"
        for reason in [
            "d: A/Accessory Information/Firmware Revision: \(end) this characteristic is required; add it",
            "d: A/Accessory Information/Identify: \(end) this characteristic is required; add it",
            "d: A 1/Accessory Information: \(end) every accessory must have this service; add it as the first service",
            "d: … and 3 more like it: \(end) this characteristic is required; add it",
        ] {
            #expect(losses.contains(reason), "\(reason)")
        }
        #expect(
            try AccessoryFile.write(.garage, as: .archive, name: "d").losses.allSatisfy { !$0.reason.contains(end) }
        )
    }

    /// None of these losses may be silent.
    @Test func unservedPartsOfAnExportAreReported() throws {
        let dump = """
            [{"aid": 1, "services": [{"iid": 10, "type": "43", "characteristics": [
              {"iid": 11, "type": "25", "perms": ["pr", "xx"], "format": "bool", "value": true},
              {"iid": 13, "type": "6B", "perms": ["pr"], "format": "uint8", "minValue": 0, "maxValue": 255, "value": 1}]}]}]
            """
        var document = try AccessoryFile.read(Array(dump.utf8), name: "d.json").document
        try document.addSecondOn()
        let losses = try AccessoryFile.write(document, as: .archive, name: "d").losses.map(\.description)
        for reason in [
            "d: Accessory 1/Light Bulb/Current Ambient Light Level: not served, because the format implies it: "
                + "minValue "
                + "and maxValue",
            "d: Accessory 1/Light Bulb/On: the device's own perms, [\"pr\",\"xx\"], is lost",
            "d: Accessory 1/Light Bulb/On: the characteristic is lost",
        ] {
            #expect(losses.contains(reason), "\(losses)")
        }
    }

    /// An archive has no place for the id of the first accessory.
    @Test func lossOfTheFirstAccessorysIDIsReported() throws {
        var document = AccessoryDocument.garage
        document.key = "server"
        let losses = try AccessoryFile.write(document, as: .archive, name: "d").losses.map(\.description)
        #expect(losses.contains("d: id: the id \"server\" becomes \"Kilgo Garage\""))
        document.key = KilgoGarage.name
        document.accessories[0].key = "first"
        let others = try AccessoryFile.write(document, as: .archive, name: "d").losses.map(\.description)
        #expect(others.contains("d: first: the id \"first\" becomes \"Kilgo Garage\""))
    }

    /// A definition with these properties could not be read again unless it is verbatim.
    @Test(arguments: [AccessoryFileKind.yaml, .json])
    func dumpThatNoDefinitionAllowsIsReadBack(kind: AccessoryFileKind) throws {
        let dump = """
            [{"aid": 1, "services": [{"iid": 10, "type": "43", "linked": [10], "characteristics": [
              {"iid": 11, "type": "25", "perms": ["pr"], "format": "bool", "value": true},
              {"iid": 13, "type": "37", "perms": ["pr"], "format": "data", "maxDataLen": -1, "maxLen": 0}]}]}]
            """
        var document = try AccessoryFile.read(Array(dump.utf8), name: "d.json").document
        try document.addSecondOn()
        let bytes = try AccessoryFile.write(document, as: kind, name: "d").bytes
        let again = try AccessoryFile.read(bytes, name: "d").document
        #expect(again.accessories[0].services[0].linked == [ServiceKey(.lightbulb)])
        let characteristics = again.accessories[0].services[0].characteristics
        #expect(characteristics.map(\.value) == [true, false, nil])
        #expect(characteristics[2].metadata.maximumDataLength == -1)
        #expect(characteristics[2].metadata.maximumLength == 0)
    }

    @Test func unservableDocumentIsNotWritten() {
        var document = AccessoryDocument.garage
        document.accessories[0].services.append(document.accessories[0].services[1])
        #expect(throws: DocumentError.self) {
            try AccessoryFile.write(document, as: .dump, name: "garage.json")
        }
    }

    /// Other formats have no place for a device's own spelling of a property, so its loss is reported.
    @Test(arguments: [AccessoryFileKind.yaml, .json, .archive])
    func anOddDumpCanBeConverted(to kind: AccessoryFileKind) throws {
        let document = try AccessoryFile.read(Dumps.odd, name: "odd.json").document
        let (_, losses) = try AccessoryFile.write(document, as: kind, name: "odd")
        #expect(!losses.isEmpty)
        #expect(losses.contains { $0.reason == "the device's own unit, \"percent\", is lost" })
    }
}

extension AccessoryDocument {
    /// Adds a second On with the value `false` to the first service, as only a verbatim definition can have it.
    fileprivate mutating func addSecondOn() throws {
        var second = try #require(accessories[0].services[0].characteristics.first)
        second.iid = InstanceID(12)
        second.value = false
        accessories[0].services[0].characteristics.insert(second, at: 1)
    }
}
