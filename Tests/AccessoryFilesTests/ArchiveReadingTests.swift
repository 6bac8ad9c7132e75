import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import PropertyLists
import Testing

/// Tests that the reader reports whatever is unusual in a `.hasaccessory` file, and reads the rest.
@Suite
struct ArchiveReadingTests {
    /// A change to the garage's file, with the warning and the document that it results in.
    struct Oddity: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout ArchiveGraph) -> Void
        var path: String
        var reason: String
        /// The change that turns the garage's document into the expected document.
        var effect: @Sendable (inout AccessoryDocument) -> Void

        init(
            _ testDescription: String,
            path: String,
            reason: String,
            change: @escaping @Sendable (inout ArchiveGraph) -> Void,
            effect: @escaping @Sendable (inout AccessoryDocument) -> Void = { _ in }
        ) {
            self.testDescription = testDescription
            self.path = path
            self.reason = reason
            self.change = change
            self.effect = effect
        }
    }

    private static let on = "accessory.services[4].characteristics[1]"
    private static let brightness = "accessory.services[4].characteristics[2]"
    private static let fadeRate = "accessory.services[4].characteristics[5]"

    /// The position of the lamp's `On` among the objects of class `HAKCharacteristic`.
    private static let onPosition = 13

    static let oddities: [Oddity] = [
        Oddity("an unknown key of the accessory", path: "accessory", reason: "the key \"HAK.new\" is unknown") {
            $0.set("HAK.new", of: "HAKAccessory", to: 1)
        },
        Oddity("an unknown class of a service", path: "accessory.services[3]", reason: "\"HAKDoorService\"") { graph in
            let name = graph.add(["$classname": "HAKDoorService", "$classes": ["HAKDoorService", "NSObject"]])
            graph.set("$class", of: "HAKService", at: 1, to: name)
        },
        Oddity("an unknown class of constraints", path: "\(brightness).constrains", reason: "\"HAKNewConstraints\"") {
            let name = $0.add(["$classname": "HAKNewConstraints", "$classes": ["HAKNewConstraints", "NSObject"]])
            $0.set("$class", of: "HAKNumberConstraints", at: 4, to: name)
        },
        Oddity("an unknown bit of the properties", path: "\(on).properties", reason: "the bits 20 are unknown") {
            $0.set("HAK.properties", of: "HAKCharacteristic", at: onPosition, to: 31)
        },
        Oddity("an unknown bit of the permissions", path: "\(on).permissions", reason: "the bits 16") {
            $0.set("HAK.permissions", of: "HAKCharacteristic", at: onPosition, to: 28)
        },
        Oddity("permissions without pairing", path: "\(on).permissions", reason: "does not allow unpaired access") {
            $0.set("HAK.permissions", of: "HAKCharacteristic", at: onPosition, to: 15)
        },
        Oddity("properties that disagree", path: "\(on).properties", reason: "the permissions are used") {
            $0.set("HAK.properties", of: "HAKCharacteristic", at: onPosition, to: 8)
        },
        Oddity("an unknown format of a known type", path: "\(on).format", reason: "11 is not a known format") {
            $0.set("HAK.format", of: "HAKCharacteristic", at: onPosition, to: 11)
        },
        Oddity("an unknown format of an unknown type", path: "\(fadeRate).format", reason: "int is used") {
            $0.set("HAK.format", of: "HAKCharacteristic", at: onPosition + 4, to: 0)
        } effect: {
            $0.accessories[0].services[3].characteristics[5].metadata.format = .int
        },
        Oddity("an unknown unit", path: "\(on).unit", reason: "6 is not a known unit") {
            $0.set("HAK.unit", of: "HAKCharacteristic", at: onPosition, to: 6)
        },
        Oddity("a value of another type", path: "\(on).value", reason: "not a value of the format bool") {
            $0.set("HAK.value", of: "HAKCharacteristic", at: onPosition, to: "on")
        } effect: {
            $0.accessories[0].services[3].characteristics[1].value = nil
        },
        Oddity("a value beyond its range", path: "\(brightness).value", reason: "100 is used") {
            $0.set("HAK.value", of: "HAKCharacteristic", at: onPosition + 1, to: 1000)
        },
        Oddity("a number that is not finite", path: "\(brightness).value", reason: "the non-finite number") {
            $0.set("HAK.value", of: "HAKCharacteristic", at: onPosition + 1, to: .real(.nan))
        } effect: {
            $0.accessories[0].services[3].characteristics[2].value = nil
        },
        Oddity("a dangling reference", path: "\(brightness).value", reason: "the missing object 4000000000") {
            $0.set("HAK.value", of: "HAKCharacteristic", at: onPosition + 1, to: .uid(4_000_000_000))
        } effect: {
            $0.accessories[0].services[3].characteristics[2].value = nil
        },
        Oddity("a long text", path: "accessory.services[4].characteristics[0].value", reason: "has 100 bytes") {
            $0.set("HAK.value", of: "HAKCharacteristic", at: 12, to: .text(String(repeating: "a", count: 100)))
        } effect: {
            $0.accessories[0].services[3].characteristics[0].value = .string(String(repeating: "a", count: 100))
            $0.accessories[0].services[3].characteristics[0].metadata.maximumLength = 100
        },
        Oddity("a minimum above the maximum", path: "\(brightness).constrains", reason: "is above the maximum") {
            $0.set("HAK.minValue", of: "HAKNumberConstraints", at: 4, to: 200)
        } effect: {
            $0.accessories[0].services[3].characteristics[2].metadata.minimum = nil
            $0.accessories[0].services[3].characteristics[2].metadata.maximum = nil
        },
        Oddity("a step of 0", path: "\(brightness).constrains.stepValue", reason: "is not above 0") {
            $0.set("HAK.stepValue", of: "HAKNumberConstraints", at: 4, to: 0)
        } effect: {
            $0.accessories[0].services[3].characteristics[2].metadata.step = nil
        },
        Oddity("a length for a number", path: "\(brightness).constrains.maxLength", reason: "has a length") {
            $0.set("HAK.maxLength", of: "HAKNumberConstraints", at: 4, to: 5)
        },
        Oddity(
            "a range for a string",
            path: "accessory.services[0].characteristics[1].constrains",
            reason: "HAK.maxValue is left out"
        ) {
            $0.set("HAK.maxValue", of: "HAKStringConstraints", to: 5)
        },
        Oddity("a characteristic without a type", path: on, reason: "not a characteristic with a type") {
            $0.set("HAK.uuid", of: "HAKCharacteristic", at: onPosition, to: nil)
        } effect: {
            $0.accessories[0].services[3].characteristics.remove(at: 1)
        },
        Oddity("a service without a type", path: "accessory.services[4]", reason: "not a service with a type") {
            $0.set("HAK.uuid", of: "HAKService", at: 2, to: nil)
        } effect: {
            $0.accessories[0].services.remove(at: 3)
        },
        Oddity("an id that occurs twice", path: "accessory.services[4]", reason: "On has no unique id; 29") {
            $0.set("HAK.instanceid", of: "HAKCharacteristic", at: onPosition, to: 2)
        } effect: {
            $0.accessories[0].services[3].characteristics[1].iid = InstanceID(29)
        },
        Oddity("a next id after a gap", path: "accessory.idPool", reason: "new objects get ids above 28") {
            $0.set("HAK.idPool", of: "HAKAccessory", to: 40)
        },
        Oddity("an id of 0", path: "\(on).instanceid", reason: "0 is not a valid instance id") {
            $0.set("HAK.instanceid", of: "HAKCharacteristic", at: onPosition, to: 0)
        } effect: {
            $0.accessories[0].services[3].characteristics[1].iid = InstanceID(29)
        },
        Oddity("a category of 0", path: "accessory.category", reason: "0 is not a category") {
            $0.set("HAK.category", of: "HAKAccessory", to: 0)
        } effect: {
            $0.category = .other
        },
        Oddity("a device ID of 5 bytes", path: "accessory.identifier", reason: "5 bytes is not a device ID") {
            $0.set("HAK.identifier", of: "HAKAccessory", to: .data([1, 2, 3, 4, 5]))
        } effect: {
            $0.deviceID = nil
        },
        Oddity("a setup code that HAP forbids", path: "accessory.password", reason: "is not a setup code") {
            $0.set("HAK.password", of: "HAKAccessory", to: "111-11-111")
        } effect: {
            $0.setupCode = nil
        },
        Oddity("a setup ID in lowercase", path: "accessory.setupID", reason: "\"abcd\" is not a setup ID") {
            $0.set("HAK.setupID", of: "HAKAccessory", to: "abcd")
        } effect: {
            $0.setupID = nil
        },
        Oddity("a 17-bit configuration number", path: "accessory.transports[0].config", reason: "65536") {
            $0.set("HAK.config", of: "HAKIPTransport", to: 65_536)
        } effect: {
            $0.configurationNumber = nil
        },
        Oddity("a first accessory with another id", path: "accessory.instanceid", reason: "not 2") {
            $0.set("HAK.instanceid", of: "HAKAccessory", to: 2)
        },
        Oddity("a primary service of another accessory", path: "accessory.primary", reason: "no service is primary") {
            $0.set("HAK.primary", of: "HAKAccessory", to: .uid(6))
        } effect: {
            $0.accessories[0].services[2].isPrimary = false
        },
        Oddity("a link without a target", path: "accessory.services[4].linkedServices", reason: "does not refer to") {
            $0.set("HAK.linkedServices", of: "HAKService", at: 2, to: [.uid(0), .uid(7)])
        },
        Oddity("another kind of document", path: "kind", reason: "not marked as an accessory") {
            $0.set(1, to: ["kind": "room", "accessory": $0.reference(toClass: "HAKAccessory")])
        },
        Oddity("an invalid bridged accessory", path: "accessory.bridgedAccessories[0]", reason: "not an accessory") {
            $0.set("HAK.bridgedAccessories", of: "HAKAccessory", to: [1])
        },
    ]

    @Test(arguments: oddities)
    func oddityIsReportedAndTheRestIsRead(_ oddity: Oddity) throws {
        var graph = try Self.graph()
        oddity.change(&graph)
        let reading = try AccessoryFile.read(graph.bytes, name: "in.hasaccessory")
        let warnings = reading.warnings
        #expect(warnings.contains { $0.path == oddity.path && $0.reason.contains(oddity.reason) }, "\(warnings)")
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.file == "in.hasaccessory" })
        var expected = Self.garage
        oddity.effect(&expected)
        #expect(reading.document == expected)
    }

    /// The id of an object that was removed in HomeKit Accessory Simulator (HAS) must not be assigned to another
    /// object.
    @Test
    func newIDsStartAtTheIDPool() throws {
        var graph = try Self.graph()
        graph.set("HAK.idPool", of: "HAKAccessory", to: 40)
        graph.set("HAK.instanceid", of: "HAKCharacteristic", at: Self.onPosition, to: nil)
        let reading = try AccessoryFile.read(graph.bytes, name: "f")
        #expect(reading.warnings.map(\.reason) == ["On has no unique id; 40 is assigned"])
        #expect(reading.document.accessories[0].services[3].characteristics[1].iid == InstanceID(40))
        graph.set("HAK.idPool", of: "HAKAccessory", to: .unsigned(.max))
        #expect(try AccessoryFile.read(graph.bytes, name: "f").warnings.count == 1)
    }

    /// Accessory Information must have the id 1; with a generated id, the file was refused.
    @Test(arguments: [nil, PropertyList.negative(-5), 0])
    func accessoryInformationWithoutAnIDGetsTheReservedID(id: PropertyList?) throws {
        var graph = try Self.graph()
        graph.set("HAK.instanceid", of: "HAKAccessoryInformationService", to: id)
        let reading = try AccessoryFile.read(graph.bytes, name: "f")
        #expect(reading.document == Self.garage)
        #expect(reading.warnings.last?.reason == "it has no unique id; 1 is assigned")
    }

    @Test
    func booleansHaveNoRange() throws {
        var document = AccessoryDocument.garage
        document.accessories[0].services[3].characteristics[1].metadata.maximum = 1
        let bytes = try AccessoryFile.write(document, as: .archive, name: "f").bytes
        let reading = try AccessoryFile.read(bytes, name: "f")
        #expect(reading.document == Self.garage)
        #expect(reading.warnings.map(\.reason) == ["a Boolean has no range; HAK.maxValue is left out"])
    }

    @Test
    func serverPropertiesOfBridgedAccessoriesAreIgnored() throws {
        var graph = try ArchiveGraph(AccessoryFile.write(.bridge, as: .archive, name: "f").bytes)
        graph.set("HAK.category", of: "HAKAccessory", at: 1, to: 5)
        graph.set("HAK.password", of: "HAKAccessory", at: 1, to: "455-80-516")
        graph.set("HAK.setupID", of: "HAKAccessory", at: 1, to: "ABCD")
        graph.set("HAK.identifier", of: "HAKAccessory", at: 1, to: .data([1, 2, 3, 4, 5, 6]))
        graph.set("HAK.transports", of: "HAKAccessory", at: 1, to: [graph.reference(toClass: "HAKIPTransport")])
        let reading = try AccessoryFile.read(graph.bytes, name: "f")
        #expect(reading.document == .bridge)
        #expect(
            reading.warnings.map(\.description)
                == [
                    ("category", "category"), ("identifier", "device ID"), ("password", "setup code"),
                    ("setupID", "setup ID"), ("transports", "transport"),
                ]
                .map { key, name in
                    "f: accessory.bridgedAccessories[0].\(key): a bridged accessory has no \(name); it is left out"
                }
        )
    }

    @Test
    func inlineValuesAreRead() throws {
        var graph = try Self.graph()
        graph.inlineValues()
        let reading = try AccessoryFile.read(graph.bytes, name: "f")
        #expect(reading == AccessoryFileContents(kind: .archive, document: Self.garage))
    }

    @Test
    func markupAndBinaryReadTheSame() throws {
        let reading = try AccessoryFile.read(Self.graph().markup, name: "f")
        #expect(reading == AccessoryFileContents(kind: .archive, document: Self.garage))
    }

    @Test
    func foundationWrapperObjectsAreUnwrapped() throws {
        var graph = try Self.graph()
        let text = graph.add([
            "$classname": "NSMutableString", "$classes": ["NSMutableString", "NSString", "NSObject"],
        ])
        let data = graph.add(["$classname": "NSMutableData", "$classes": ["NSMutableData", "NSData", "NSObject"]])
        let null = graph.add(["$classname": "NSNull", "$classes": ["NSNull", "NSObject"]])
        let bytes: [UInt8] = [0x11, 0x22, 0x33, 0xAA, 0xBB, 0xCC]
        graph.set("HAK.setupID", of: "HAKAccessory", to: ["NS.string": "CBRG", "$class": text])
        graph.set(
            "HAK.password",
            of: "HAKAccessory",
            to: ["NS.bytes": .data(Array("455-80-516".utf8)), "$class": text]
        )
        graph.set("HAK.identifier", of: "HAKAccessory", to: ["NS.data": .data(bytes), "$class": data])
        graph.set("HAK.description", of: "HAKCharacteristic", to: graph.add(["$class": null]))
        let reading = try AccessoryFile.read(graph.bytes, name: "f")
        #expect(reading == AccessoryFileContents(kind: .archive, document: Self.garage))
    }

    @Test
    func serverAssignsIDsIfTheFileHasNone() throws {
        var graph = try Self.graph()
        for (name, count) in [
            ("HAKAccessoryInformationService", 1), ("HAKService", 3), ("HAKIdentifyCharacteristic", 1),
            ("HAKCharacteristic", 18),
        ] {
            for position in 0..<count { graph.set("HAK.instanceid", of: name, at: position, to: nil) }
        }
        let reading = try AccessoryFile.read(graph.bytes, name: "f")
        #expect(reading.warnings == [])
        let services = reading.document.accessories[0].services
        #expect(services.allSatisfy { $0.iid == nil && $0.characteristics.allSatisfy { $0.iid == nil } })
    }

    @Test
    func servicesOfOneTypeAreDistinguishedByNameElseByNumber() throws {
        func keys(_ names: [String?]) throws -> [String] {
            var document = AccessoryDocument.garage
            document.accessories[0].services.removeLast(2)
            for (position, name) in names.enumerated() {
                let characteristics = name.map { [Characteristic(cataloged: .name, value: .string($0))] } ?? []
                let key = ServiceKey(.switch, subtype: "\(position)")
                let service = ServiceDescription(key: key, characteristics: characteristics)
                document.accessories[0].services.append(FileService(service))
            }
            return try document.archiveRoundTrip().document.accessories[0].services.dropFirst(2).map(\.key.subtype)
        }
        #expect(try keys(["A"]) == [""])
        #expect(try keys(["A", "B"]) == ["A", "B"])
        #expect(try keys(["A", "A", nil, ""]) == ["1", "2", "3", "4"])
        #expect(try keys(["2", "A", nil]) == ["2", "A", "3"])
        #expect(try keys(["A", nil, "2"]) == ["A", "5", "2"])
    }

    @Test
    func accessoryWithoutANameIsNamedAfterItsFile() throws {
        var document = AccessoryDocument.garage
        document.accessories[0].services[0].characteristics.removeAll { $0.type == .name }
        let bytes = try AccessoryFile.write(document, as: .archive, name: "f").bytes
        let reading = try AccessoryFile.read(bytes, name: "/home/Old Lamp.hasaccessory")
        let read = reading.document
        #expect(
            reading.warnings.map(\.reason)
                == ["the accessory has no name; the name of the file, \"Old Lamp\", is used"]
        )
        #expect(read.key == "Old Lamp" && read.name == "Old Lamp" && read.accessories[0].key == "Old Lamp")
    }

    @Test
    func bridgedAccessoriesWithoutANameAreNumbered() throws {
        var document = AccessoryDocument.bridge
        for position in 1...2 {
            document.accessories[position].services[0].characteristics.removeAll { $0.type == .name }
        }
        var graph = try ArchiveGraph(AccessoryFile.write(document, as: .archive, name: "f").bytes)
        let accessories = [1, 2].map { graph.reference(toClass: "HAKAccessory", at: $0) }
        graph.set("HAK.bridgedAccessories", of: "HAKAccessory", to: .array([.uid(0)] + accessories))
        let read = try AccessoryFile.read(graph.bytes, name: "f").document
        #expect(read.accessories.map(\.key) == ["Bridge", "Bridge 1", "Bridge 2"])
        #expect(try read.archiveRoundTrip().document == read)
    }

    @Test
    func bridgedAccessoriesOfOneNameAreDistinguished() throws {
        var document = AccessoryDocument.bridge
        document.accessories[2].services[0].characteristics[3].value = "Garage"
        let (read, diagnostics) = try document.archiveRoundTrip()
        #expect(read.accessories.map(\.key) == ["Bridge", "Garage", "Garage 2"])
        #expect(diagnostics.count == 1 && diagnostics[0].reason.contains("becomes \"Garage 2\""))
    }

    private static let garage: AccessoryDocument = {
        var document = AccessoryDocument.garage
        document.accessories[0] = document.accessories[0].numbered
        return document
    }()

    private static func graph() throws -> ArchiveGraph {
        try ArchiveGraph(AccessoryFile.write(.garage, as: .archive, name: "f").bytes)
    }
}
