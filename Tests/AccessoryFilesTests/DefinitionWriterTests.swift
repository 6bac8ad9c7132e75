import AccessoryModel
import Documents
import HAPCore
import Simulation
import Testing

@testable import AccessoryFiles

@Suite
struct DefinitionWriterTests {
    @Test
    func kilgoGarageIsWrittenAsConciselyAsByHand() throws {
        let document = try AccessoryFile.read(Array(DefinitionReaderTests.garage.utf8), name: "garage.yaml").document
        #expect(
            try written(document) == """
                # yaml-language-server: $schema=accessory.schema.json
                accessory: Kilgo Garage
                manufacturer: "Kilgo Devices, Inc."
                model: KG-100
                serialNumber: KG100-0001
                services:
                  - type: GarageDoorOpener
                    name: Garage Door
                    primary: true
                    simulate: garageDoor
                    characteristics:
                      TargetDoorState: Closed
                      LockTargetState: Unsecured
                  - type: Lightbulb
                    name: Garage Light
                    simulate: { dimmableLight: { fade: Fade Rate } }
                    characteristics:
                      On: false
                      Brightness: 100
                      Hue: 0
                      Saturation: 0
                      Fade Rate:
                        value: 1
                        type: 7E536242-341C-4862-BE90-272CE15BD633
                        format: float
                        unit: seconds
                        range: 0...10
                        step: 0.5

                """
        )
    }

    @Test
    func bridgeIsWrittenWithItsAccessories() throws {
        let text = """
            # yaml-language-server: $schema=accessory.schema.json
            bridge: Ground Floor
            id: floor
            serverID: house
            firmware: 2.0.1
            setupCode: "031-45-154"
            setupID: 7OSX
            deviceID: "1A:2B:3C:4D:5E:6F"
            configuration: 7
            accessories:
              - accessory: Hall Lamp
                id: lamp
                services:
                  - type: Lightbulb
                    characteristics:
                      On: true
              - accessory: Sprinkler
                aid: 17
                services:
                  - type: IrrigationSystem
                    primary: true
                    linked: [Lawn, Roses]
                  - type: Valve
                    name: Lawn
                    characteristics:
                      ValveType: Irrigation
                  - type: Valve
                    name: Roses
                    hidden: true
                    simulate: none

            """
        let document = try AccessoryFile.read(Array(text.utf8), name: "bridge.yaml").document
        #expect(try written(document).replacing("setupID: \"7OSX\"", with: "setupID: 7OSX") == text)
        try check(document)
    }

    /// The ids are like those of an export, with a gap left by a removed service and a characteristic that was added
    /// later.
    @Test
    func numberedDocumentWritesOnlyIDsOutOfOrder() throws {
        var document = try AccessoryFile.read(Array(DefinitionReaderTests.garage.utf8), name: "garage.yaml").document
        assignIDs(&document)
        #expect(!(try written(document)).contains("iid"))
        #expect(try written(document).contains("ids: fixed"))
        try check(document)
        document.accessories[0].services[1].iid = InstanceID(113)
        document.accessories[0].services[1].characteristics[0].iid = InstanceID(114)
        document.accessories[0].services[0].characteristics[5].iid = InstanceID(99)
        document.accessories[0].services[0].characteristics
            .append(
                Characteristic(cataloged: .hardwareRevision, value: "2.1").with(iid: 112)
            )
        document.accessories[0].services[0].characteristics.swapAt(1, 3)
        try check(document)
    }

    @Test(arguments: [true, false])
    func everyPropertyOfADocumentIsPreserved(isVerbatim: Bool) throws {
        var document = try AccessoryFile.read(Array(Self.everything.utf8), name: "all.yaml").document
        document.isVerbatim = isVerbatim
        try check(document)
        assignIDs(&document)
        try check(document)
    }

    /// The document is a copy of a device that breaks many rules of HAP.
    @Test
    func verbatimDocumentIsWrittenWithItsErrors() throws {
        let lock = ServiceKey(.lockMechanism, subtype: "1")
        var brightness = Characteristic(cataloged: .brightness, value: 130)
        brightness.metadata = CharacteristicMetadata(format: .uint8, maximum: 100)
        let document = AccessoryDocument(
            key: "dump",
            name: "on",
            category: .other,
            accessories: [
                FileAccessory(
                    key: "7",
                    services: [
                        ServiceDescription(
                            key: ServiceKey(.lightbulb),
                            characteristics: [
                                brightness.with(iid: 900), Characteristic(cataloged: .on, value: 1).with(iid: 3),
                                Characteristic(cataloged: .name, value: "").with(iid: 4),
                            ],
                            linked: [lock],
                            iid: InstanceID(2)
                        ),
                        ServiceDescription(
                            key: ServiceKey(.lightbulb, subtype: "b"),
                            characteristics: [],
                            iid: InstanceID(1 << 53 - 1)
                        ),
                        ServiceDescription(key: lock, characteristics: [], iid: InstanceID(8)),
                    ]
                    .map { FileService($0, simulation: .none) },
                    aid: AccessoryID(7)
                ),
                FileAccessory(key: "1e3", services: [], aid: AccessoryID(1)),
            ],
            isVerbatim: true
        )
        try check(document)
    }

    @Test
    func invalidDefinitionIsWrittenAsVerbatim() throws {
        var document = try AccessoryFile.read(Array(DefinitionReaderTests.garage.utf8), name: "garage.yaml").document
        document.accessories[0].services[2].characteristics[1].value = 7
        let (bytes, losses) = try AccessoryFile.written(document, as: .yaml)
        #expect(
            losses.map(\.description) == [
                "test: services[0].characteristics.TargetDoorState: the definition can be served only as it is, so "
                    + "\"verbatim: true\" is added: 7 is out of range; write Open (0) or Closed (1)"
            ]
        )
        let again = try AccessoryFile.read(bytes, name: "garage.yaml").document
        #expect(again.isVerbatim)
        #expect(again.accessories == document.accessories)
    }

    @Test
    func unsupportedValueIsReportedAsALoss() throws {
        var document = try AccessoryFile.read(Array(DefinitionReaderTests.garage.utf8), name: "garage.yaml").document
        document.accessories[0].services[0].iid = nil
        let losses = try AccessoryFile.written(document, as: .yaml).losses.map(\.description)
        #expect(
            losses == ["test: Kilgo Garage/Accessory Information: the iid none becomes 1"]
        )
    }

    /// A definition that could not be read again is not written, and a large one is not written as verbatim instead.
    @Test(arguments: [true, false], [AccessoryFileKind.yaml, .json])
    func unreadableOutputIsNotWritten(isVerbatim: Bool, kind: AccessoryFileKind) throws {
        var document = try AccessoryFile.read(Array(DefinitionReaderTests.garage.utf8), name: "garage.yaml").document
        document.isVerbatim = isVerbatim
        let descriptions = [
            ("the file has", String(repeating: "a", count: 1 << 20)),
            ("combining marks", String(repeating: "\u{301}", count: 33)),
        ]
        for (reason, description) in descriptions {
            document.accessories[0].services[2].characteristics[1].description = description
            let error = #expect(throws: DocumentError.self) {
                try AccessoryFile.write(document, as: kind, name: "out.yaml")
            }
            let diagnostic = try #require(error?.diagnostics.first)
            #expect(diagnostic.severity == .error)
            #expect(
                diagnostic.reason.hasPrefix("the definition cannot be written, because hap could not read it again")
            )
            #expect(diagnostic.reason.contains(reason))
        }
    }

    @Test(
        arguments: [
            "on", "On", "NO", "y", "null", "~", "true", "1e3", "1_000", "0x1F", "0o17", "010", "12:30:45", "2024-01-01",
            ".5", "-", "- a", "a: b", "a:", "a #b", "#a", " a", "a ", "", "*a", "&a", "!a", "%a", "@a", "`a", "|", ">",
            "\"", "'", "\\", "[", "{a", "a]", "[[[[[", "a,b", "a\nb", "\t", "\u{7F}\u{80}\u{85}\u{A0}\u{2028}\u{FEFF}",
            "\u{E000}*", "é", "e\u{301}", "😀", "a\u{301}\u{301}", "\u{0}", "---", "...", "1.0", "1.0.0", "=", "<<",
            "\u{FFFF}", "?", "? a", "x\u{1F}", "日本語", "Kilgo Devices, Inc.", "12s", "0...10", ".inf",
        ]
    )
    func textSurvivesTheRoundTrip(text: String) throws {
        let document = AccessoryDocument(
            key: "id" + text,
            name: "name",
            category: .other,
            accessories: [
                FileAccessory(
                    key: "key" + text + text,
                    services: [
                        FileService(
                            ServiceDescription(
                                key: ServiceKey(.switch, subtype: text),
                                characteristics: [
                                    Characteristic(
                                        type: CharacteristicType(HAPUUID(high: 1, low: 2)),
                                        permissions: .read,
                                        metadata: CharacteristicMetadata(format: .string),
                                        description: text.isEmpty ? nil : text,
                                        value: .string(text)
                                    )
                                ]
                            )
                        )
                    ]
                )
            ],
            isVerbatim: true
        )
        for kind in [AccessoryFileKind.yaml, .json] {
            let bytes = try AccessoryFile.written(document, as: kind).bytes
            let again = try AccessoryFile.read(bytes, name: "test").document
            // Compares bytes, because `==` ignores differences in Unicode normalization.
            #expect(again.key.utf8.elementsEqual(document.key.utf8))
            let service = try #require(again.accessories.first?.services.first)
            #expect(service.key.subtype.utf8.elementsEqual(text.utf8))
            let characteristic = try #require(service.characteristics.first)
            #expect(characteristic.value?.string.map { Array($0.utf8) } == Array(text.utf8))
            #expect(characteristic.description.map { Array($0.utf8) } == (text.isEmpty ? nil : Array(text.utf8)))
        }
    }

    /// A definition that uses every property of services and characteristics.
    static let everything = """
        accessory: Everything
        category: 200
        aid: 1
        services:
          - type: AccessoryInformation
            characteristics:
              HardwareRevision: 1.0.0
              ProductData: AAECAw==
              AccessoryFlags: 1
          - type: ProtocolInformation
            iid: 40
          - type: Outlet
            name: Left
            linked: [Right, { type: Outlet, id: third }]
            characteristics:
              On: true
          - type: Outlet
            name: Right
            primary: true
            characteristics:
              On: { hidden: true, description: The switch, adminOnly: [write] }
              OutletInUse: null
          - type: Outlet
            id: third
            hidden: true
          - type: 0A1B2C3D-0000-1000-8000-001122334455
            characteristics:
              Level: { type: 0A1B2C3D-0001-1000-8000-001122334455, format: uint64, value: 18446744073709551615 }
              0A1B2C3D-0002-1000-8000-001122334455: { format: int, range: -5...5, step: 5, value: -5, iid: 60 }
              Small: { type: 0A1B2C3D-0003-1000-8000-001122334455, format: float, range: 0.00001..., value: 0.5 }
              Bytes: { type: 0A1B2C3D-0004-1000-8000-001122334455, format: data, maxDataLength: 9, value: AQID }
              Text: { type: 0A1B2C3D-0005-1000-8000-001122334455, format: string, maxLength: 256, minLength: 1, value: "7" }
              Code: { type: 0A1B2C3D-0006-1000-8000-001122334455, format: tlv8, permissions: [pw, tw, wr, aa] }
          - type: Thermostat
            complete: false
            characteristics:
              CurrentTemperature: 20
              TemperatureDisplayUnits: Celsius
              TargetRelativeHumidity: 40
              TargetTemperature: { range: 5...30, step: none, unit: none, value: 21.5 }
              TargetHeatingCoolingState: { validValues: [Heat, Off], value: Heat }
              CurrentHeatingCoolingState: Cool
              Name: { minLength: 2, maxLength: none, value: Heating }
        """
        .replacing("[Heat, Off]", with: "[Off, Heat]")

    private func written(_ document: AccessoryDocument) throws -> String {
        let (bytes, losses) = try AccessoryFile.written(document, as: .yaml)
        #expect(losses.isEmpty)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the document as YAML and as JSON, and checks that both are read back unchanged.
    private func check(_ document: AccessoryDocument) throws {
        for kind in [AccessoryFileKind.yaml, .json] {
            let (bytes, losses) = try AccessoryFile.written(document, as: kind)
            #expect(losses.isEmpty, "\(losses)")
            let again = try AccessoryFile.read(bytes, name: "test")
            #expect(again.document == document, "\(String(decoding: bytes, as: UTF8.self))")
            #expect(again.kind == kind)
            #expect(try AccessoryFile.written(again.document, as: kind).bytes == bytes)
        }
    }

    private func assignIDs(_ document: inout AccessoryDocument) {
        for position in document.accessories.indices {
            document.accessories[position].aid = AccessoryID(UInt64(position) + 1)
            var last: UInt64 = 0
            for service in document.accessories[position].services.indices {
                last += 1
                document.accessories[position].services[service].iid = InstanceID(last)
                for index in document.accessories[position].services[service].characteristics.indices {
                    last += 1
                    document.accessories[position].services[service].characteristics[index].iid = InstanceID(last)
                }
            }
        }
    }
}

extension AccessoryFile {
    fileprivate static func written(
        _ document: AccessoryDocument,
        as kind: AccessoryFileKind
    ) throws(DocumentError) -> (bytes: [UInt8], losses: [Diagnostic]) {
        try DefinitionWriter.write(document, as: kind, name: "test")
    }
}

extension Characteristic {
    fileprivate func with(iid: UInt64) -> Characteristic {
        var characteristic = self
        characteristic.iid = InstanceID(iid)
        return characteristic
    }
}
