import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import PropertyLists
import Simulation
import Testing

/// Tests that an accessory written as `.hasaccessory` is read back unchanged.
@Suite
struct ArchiveWritingTests {
    @Test
    func bridgeSurvivesTheRoundTrip() throws {
        let (document, diagnostics) = try AccessoryDocument.bridge.archiveRoundTrip()
        #expect(diagnostics.map(\.description) == [])
        #expect(document == .bridge)
    }

    @Test
    func garageSurvivesTheRoundTripWithServerIDs() throws {
        let (document, diagnostics) = try AccessoryDocument.garage.archiveRoundTrip()
        #expect(diagnostics.map(\.description) == [])
        var expected = AccessoryDocument.garage
        expected.accessories[0] = expected.accessories[0].numbered
        #expect(document == expected)
    }

    @Test
    func writingIsDeterministic() throws {
        let first = try AccessoryFile.write(.bridge, as: .archive, name: "a").bytes
        #expect(try AccessoryFile.write(.bridge, as: .archive, name: "b").bytes == first)
        let read = try AccessoryFile.read(first, name: "a").document
        #expect(try AccessoryFile.write(read, as: .archive, name: "c").bytes == first)
    }

    @Test
    func theObjectsHaveTheClassesAndKeysOfRealFiles() throws {
        let graph = try ArchiveGraph(AccessoryFile.write(.garage, as: .archive, name: "f").bytes)
        #expect(
            graph.keys(ofClass: "HAKAccessory") == [
                "$class", "HAK.accessoryVersion", "HAK.bridge", "HAK.bridgedAccessories", "HAK.category", "HAK.idPool",
                "HAK.identifier", "HAK.instanceid", "HAK.password", "HAK.primary", "HAK.services", "HAK.setupID",
                "HAK.transports",
            ]
        )
        #expect(
            graph.keys(ofClass: "HAKService") == [
                "$class", "HAK.accessory", "HAK.characteristics", "HAK.hidden", "HAK.instanceid", "HAK.linkedServices",
                "HAK.uuid",
            ]
        )
        #expect(
            graph.keys(ofClass: "HAKCharacteristic") == [
                "$class", "HAK.characteristicDelegate", "HAK.constrains", "HAK.description", "HAK.format",
                "HAK.instanceid", "HAK.permissions", "HAK.properties", "HAK.service", "HAK.unit", "HAK.uuid",
                "HAK.value",
            ]
        )
        #expect(
            graph.keys(ofClass: "HAKIPTransport") == [
                "$class", "HAK.config", "HAK.idPool", "HAK.primaryAccessory", "HAK.protocolVersion", "HAK.started",
                "HAK.state", "HAK.transportVersion",
            ]
        )
        #expect(
            graph.classHierarchy(ofClass: "HAKPairSetupCharacteristic") == [
                "HAKPairSetupCharacteristic", "HAKPairingCharacteristic", "HAKCharacteristic", "NSObject",
            ]
        )
        #expect(
            graph.classHierarchy(ofClass: "HAKNumberConstraints") == [
                "HAKNumberConstraints", "HAKValueConstraints", "NSObject",
            ]
        )
        #expect(
            graph.classHierarchy(ofClass: "NSDecimalNumberPlaceholder") == [
                "NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject",
            ]
        )
    }

    @Test
    func thePairingServiceTakesTheFirstFiveFreeIds() throws {
        var document = AccessoryDocument.garage
        #expect(try pairingIDs(of: document) == [24, 25, 26, 27, 28])
        document.accessories[0] = document.accessories[0].numbered
        for position in document.accessories[0].services.indices where position > 0 {
            document.accessories[0].services[position].iid = InstanceID(UInt64(100 * position))
            for index in document.accessories[0].services[position].characteristics.indices {
                let iid = InstanceID(UInt64(100 * position + index + 1))
                document.accessories[0].services[position].characteristics[index].iid = iid
            }
        }
        #expect(try pairingIDs(of: document) == [8, 9, 10, 11, 12])
        document.accessories[0].services[1].iid = InstanceID(12)
        #expect(try pairingIDs(of: document) == [13, 14, 15, 16, 17])
    }

    @Test
    func missingRequiredValuesAreGeneratedDeterministically() throws {
        var document = AccessoryDocument.garage
        document.deviceID = nil
        document.setupID = nil
        document.setupCode = nil
        document.configurationNumber = nil
        let (read, diagnostics) = try document.archiveRoundTrip()
        #expect(diagnostics.map(\.path) == ["deviceID", "setupID", "setupCode"])
        #expect(diagnostics.allSatisfy { $0.severity == .warning })
        #expect(read.deviceID != nil && read.setupID != nil)
        #expect(read.setupCode == nil && read.configurationNumber == 1)
        #expect(try document.archiveRoundTrip().document == read)
        document.key = "Another"
        let other = try document.archiveRoundTrip().document
        #expect(other.deviceID != read.deviceID && other.setupID != read.setupID)
    }

    @Test
    func protocolInformationIsAddedWhereItIsMissing() throws {
        var document = AccessoryDocument.garage
        document.accessories[0].services.remove(at: 1)
        let (read, diagnostics) = try document.archiveRoundTrip()
        #expect(diagnostics.count == 1 && diagnostics[0].reason.contains("HAP Protocol Information"))
        #expect(
            read.accessories[0].services.map(\.key.type).prefix(2) == [.accessoryInformation, .protocolInformation]
        )
    }

    /// A change to the garage that an archive cannot represent.
    struct Loss: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout AccessoryDocument) -> Void
        var path: String
        var reason: String

        init(
            _ testDescription: String,
            path: String,
            reason: String,
            change: @escaping @Sendable (inout AccessoryDocument) -> Void
        ) {
            self.testDescription = testDescription
            self.change = change
            self.path = path
            self.reason = reason
        }
    }

    static let losses: [Loss] = [
        Loss("no simulation", path: "Kilgo Garage/Garage Door Opener", reason: "its simulation is lost") {
            $0.accessories[0].services[2].simulation = .none
        },
        Loss("another simulation", path: "Kilgo Garage/Light Bulb", reason: "its simulation is lost") {
            $0.accessories[0].services[3].simulation =
                SimulationCatalog.model(named: "dimmableLight")
                .map { .model($0.model(["fade": .duration(.seconds(3))])) } ?? .none
        },
        Loss("an id", path: "id", reason: "\"garage-1\" becomes") { $0.key = "garage-1" },
        Loss("a verbatim copy of a device", path: "", reason: "copy of a real device") { $0.isVerbatim = true },
        Loss("valid values", path: "Kilgo Garage/Garage Door Opener/Target Door State", reason: "valid values") {
            $0.accessories[0].services[2].characteristics[2].metadata.validValues = [1]
        },
        Loss("a permission", path: "Kilgo Garage/Light Bulb/On", reason: "the permissions tw") {
            $0.accessories[0].services[3].characteristics[1].permissions.insert(.timedWrite)
        },
        Loss("an admin-only permission", path: "Kilgo Garage/Light Bulb/On", reason: "only admins") {
            $0.accessories[0].services[3].characteristics[1].adminOnly = .write
        },
        Loss("a subtype", path: "Kilgo Garage/Light Bulb", reason: "the id \"a\"") {
            $0.accessories[0].services[3].key.subtype = "a"
        },
        Loss("a first accessory with another id", path: "Kilgo Garage", reason: "not 7; 1 is used") {
            $0.accessories[0].aid = AccessoryID(7)
        },
        Loss("a duplicate characteristic", path: "Kilgo Garage/Light Bulb/On", reason: "the characteristic is lost") {
            $0.accessories[0].services[3].characteristics.append(Characteristic(cataloged: .on, value: true))
        },
        Loss("a link to a missing service", path: "Kilgo Garage/Light Bulb", reason: "some of its links") {
            $0.accessories[0].services[3].linked = [ServiceKey(.fan)]
        },
        Loss("a device's own unit", path: "Kilgo Garage/Light Bulb/On", reason: "own unit, \"volts\",") {
            $0.accessories[0].services[3].characteristics[1].verbatimMembers["unit"] = "volts"
        },
        Loss("a length for a number", path: "Kilgo Garage/Light Bulb/Brightness", reason: "the maximum length 9") {
            $0.accessories[0].services[3].characteristics[2].metadata.maximumLength = 9
        },
        Loss("a value beyond its range", path: "Kilgo Garage/Light Bulb/Brightness", reason: "its value becomes 100") {
            $0.accessories[0].services[3].characteristics[2].value = 101
        },
    ]

    @Test(arguments: losses)
    func lossIsReported(_ loss: Loss) throws {
        var document = AccessoryDocument.garage
        loss.change(&document)
        let diagnostics = try AccessoryFile.write(document, as: .archive, name: "out.hasaccessory").losses
        #expect(diagnostics.contains { $0.path == loss.path && $0.reason.contains(loss.reason) }, "\(diagnostics)")
        #expect(diagnostics.allSatisfy { $0.severity == .warning && $0.file == "out.hasaccessory" })
    }

    @Test
    func theAccessoryWithTheIdOneComesFirst() throws {
        var document = AccessoryDocument.bridge
        document.accessories.append(document.accessories.removeFirst())
        let (read, diagnostics) = try document.archiveRoundTrip()
        #expect(read.accessories == AccessoryDocument.bridge.accessories)
        #expect(diagnostics.first?.reason.contains("must come first") == true)
    }

    @Test
    func unwritableDocumentIsAnError() {
        var empty = AccessoryDocument.garage
        empty.accessories = []
        var sameAccessory = AccessoryDocument.bridge
        sameAccessory.accessories[2].aid = AccessoryID(7)
        var sameObject = AccessoryDocument.garage
        sameObject.accessories[0].services[2].iid = InstanceID(50)
        sameObject.accessories[0].services[3].iid = InstanceID(50)
        var greatest = AccessoryDocument.garage
        greatest.accessories[0].services[2].iid = InstanceID(1 << 53 - 1)
        var tooGreat = AccessoryDocument.garage
        tooGreat.accessories[0].services[2].iid = InstanceID(.max)
        var tooLarge = AccessoryDocument.garage
        tooLarge.accessories[0].services[2].characteristics[0].value = .data([UInt8](repeating: 1, count: 4 << 20))
        for document in [empty, sameAccessory, sameObject, greatest, tooGreat, tooLarge] {
            #expect(throws: DocumentError.self) {
                try AccessoryFile.write(document, as: .archive, name: "out.hasaccessory")
            }
        }
    }

    private func pairingIDs(of document: AccessoryDocument) throws -> [UInt64] {
        let graph = try ArchiveGraph(AccessoryFile.write(document, as: .archive, name: "f").bytes)
        let names = [
            "HAKPairingService", "HAKPairSetupCharacteristic", "HAKPairVerifyCharacteristic",
            "HAKPairingFeaturesCharacteristic", "HAKPairingsCharacteristic",
        ]
        return names.compactMap { graph.objects(ofClass: $0).first.flatMap { graph.number(of: $0["HAK.instanceid"]) } }
    }
}
