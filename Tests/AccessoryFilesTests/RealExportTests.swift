import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import PropertyLists
import Testing

/// Tests the accessory of a real export, which `format.md` next to the export describes.
@Suite(.enabled(if: RealExport.bytes != nil, "the export is not in the repository"))
struct RealExportTests {
    @Test
    func serverMatchesTheExport() throws {
        let reading = try read()
        #expect(reading.kind == .archive)
        #expect(reading.warnings == [])
        let document = reading.document
        #expect(document.key == "Lightbulb" && document.name == "Lightbulb")
        #expect(document.category == .other)
        #expect(document.deviceID == DeviceID("83:79:42:DA:B6:5F"))
        #expect(document.setupCode == SetupCode("455-80-516"))
        #expect(document.setupID == SetupID("CBRG"))
        #expect(document.configurationNumber == 3)
        #expect(!document.isVerbatim)
        #expect(document.accessories.map(\.aid) == [.primary])
    }

    @Test
    func pairingServiceIsOmittedAndItsIDsStayFree() throws {
        let services = try #require(try read().document.accessories.first).services
        #expect(
            services.map(\.key) == [.accessoryInformation, .protocolInformation, .lightbulb].map { ServiceKey($0) }
        )
        let ids = services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }.map { $0?.rawValue }
        #expect(ids == [1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 17, 18, 19, 20])
    }

    @Test
    func characteristicsMatchTheExport() throws {
        let services = try #require(try read().document.accessories.first).services
        let lightbulb = try #require(services.last)
        let hue = try #require(lightbulb.characteristics.first { $0.type == .hue })
        let expected = Characteristic(
            type: .hue,
            permissions: [.read, .write, .events],
            metadata: CharacteristicMetadata(format: .float, unit: .arcdegrees, minimum: 0, maximum: 360, step: 1),
            value: 108,
            iid: InstanceID(19)
        )
        #expect(hue == expected)
        // These two are archived as decimal numbers.
        #expect(lightbulb.characteristics.first { $0.type == .brightness }?.value == 100)
        #expect(lightbulb.characteristics.first { $0.type == .saturation }?.value == 50)
        let serial = try #require(services.first?.characteristics.first { $0.type == .serialNumber })
        #expect(serial.value == "8H229QRPKWV56" && serial.metadata.maximumLength == 64)
    }

    @Test
    func exportSurvivesTheRoundTrip() throws {
        let document = try read().document
        let (again, diagnostics) = try document.archiveRoundTrip()
        #expect(diagnostics.map(\.description) == [])
        #expect(again == document)
    }

    @Test
    func writtenFileHasTheObjectsOfTheExport() throws {
        let original = try ArchiveGraph(try #require(RealExport.bytes))
        let written = try ArchiveGraph(AccessoryFile.write(try read().document, as: .archive, name: "f").bytes)
        // The two numbers that a user typed in are written as integers, not as decimal numbers.
        #expect(original.objects.count == written.objects.count + 1)
        for name in original.objects.compactMap({ $0.dictionary?["$classname"]?.text }) {
            #expect(original.classHierarchy(ofClass: name) == written.classHierarchy(ofClass: name))
            #expect(original.keys(ofClass: name) == written.keys(ofClass: name))
            if name != "NSDecimalNumberPlaceholder" {
                #expect(original.objects(ofClass: name).count == written.objects(ofClass: name).count)
            }
        }
        let ids = { (graph: ArchiveGraph) in
            graph.objects.compactMap(\.dictionary).compactMap { graph.number(of: $0["HAK.instanceid"]) }
        }
        #expect(ids(original) == ids(written))
    }

    private func read() throws -> AccessoryFileContents {
        try AccessoryFile.read(try #require(RealExport.bytes), name: "Lightbulb.hasaccessory")
    }
}
