import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Simulation
import TestSupport
import Testing

/// Tests the definitions in the folder Accessories.
///
/// Users start from these files, so nothing about them may be unusual.
@Suite
struct GalleryTests {
    @Test
    func thereIsADefinitionForEachKindOfAccessory() throws {
        #expect(GalleryFile.all.count >= 24)
        let documents = try GalleryFile.all.map { try read($0).document }
        let types = Set(documents.flatMap(\.accessories).flatMap(\.services).map(\.key.type))
        let wanted: Set<ServiceType> = [
            .airPurifier, .airQualitySensor, .battery, .carbonDioxideSensor, .carbonMonoxideSensor, .contactSensor,
            .door, .doorbell, .fanv2, .faucet, .filterMaintenance, .garageDoorOpener, .heaterCooler,
            .humidifierDehumidifier, .humiditySensor, .inputSource, .irrigationSystem, .leakSensor, .lightSensor,
            .lightbulb, .lockManagement, .lockMechanism, .motionSensor, .occupancySensor, .outlet, .securitySystem,
            .serviceLabel, .smartSpeaker, .smokeSensor, .speaker, .statelessProgrammableSwitch, .switch, .television,
            .temperatureSensor, .thermostat, .valve, .window, .windowCovering,
        ]
        #expect(wanted.subtracting(types).isEmpty)
        #expect(documents.contains { $0.category == .bridge && $0.accessories.count >= 10 })
    }

    /// All of the definitions can be served at the same time.
    @Test
    func identitiesAreUnique() throws {
        let documents = try GalleryFile.all.map { try read($0).document }
        #expect(Set(documents.map(\.key)).count == documents.count)
        let accessories = documents.flatMap(\.accessories)
        #expect(Set(accessories.map(\.key)).count == accessories.count)
        #expect(Set(accessories.map { $0[.serialNumber] }).count == accessories.count)
    }

    @Test(arguments: GalleryFile.all)
    func eachAccessoryHasAManufacturerAndAModel(file: GalleryFile) throws {
        for accessory in try read(file).document.accessories {
            #expect(accessory[.manufacturer] == "Kilgo Devices, Inc.")
            let model = try #require(accessory[.model]?.string)
            #expect(model.wholeMatch(of: #/K[A-Z]-[0-9]{3}/#) != nil, "\(model)")
        }
    }

    /// Apps show the range of a threshold as that of the thermostat.
    @Test(arguments: GalleryFile.all)
    func thresholdsHaveTheRangeOfTheTargetTemperature(file: GalleryFile) throws {
        for service in try read(file).document.accessories.flatMap(\.services) {
            let temperatures = service.characteristics.filter { Self.settableTemperatures.contains($0.type) }
            for temperature in temperatures {
                let cataloged = try #require(Catalog.characteristic(temperature.type)).metadata
                #expect(temperature.metadata.range != cataloged.range)
            }
            #expect(Set(temperatures.map(\.metadata.range)).count <= 1)
            #expect(Set(temperatures.map(\.metadata.step)).count <= 1)
        }
    }

    private static let settableTemperatures: Set<CharacteristicType> = [
        .targetTemperature, .heatingThresholdTemperature, .coolingThresholdTemperature,
    ]

    /// A doorbell reports no other press, and apps would offer actions that never run.
    @Test
    func onlyTheDoorbellIsLimitedToSinglePresses() throws {
        for file in GalleryFile.all {
            for service in try read(file).document.accessories.flatMap(\.services) {
                guard let event = service.characteristics.first(where: { $0.type == .programmableSwitchEvent })
                else { continue }
                #expect(event.metadata.validValues == (service.key.type == .doorbell ? [0] : [0, 1, 2]))
            }
        }
    }

    @Test(arguments: GalleryFile.all)
    func eachFileIsReadWithoutWarnings(file: GalleryFile) throws {
        let reading = try read(file)
        #expect(reading.kind == .yaml)
        #expect(reading.warnings.map(\.description) == [])
        #expect(reading.document.category != .other)
        #expect(AccessoryValidation.errors(in: reading.document.makeAccessories(isSimulated: true)).isEmpty)
    }

    /// A server can switch from one to the other, and controllers need not read the accessory again.
    @Test
    func garageHasTheStructureOfTheBuiltInOne() throws {
        var identifiers = IdentifierMap()
        let builtIn = try AttributeDatabase([KilgoGarage.accessory()], identifiers: &identifiers)
        let declared = try read(GalleryFile(name: "garage")).document.makeAccessories(isSimulated: true)
        let file = try AttributeDatabase(declared, identifiers: &identifiers)
        #expect(file.digest == builtIn.digest)
        #expect(file.characteristics.map(\.id) == builtIn.characteristics.map(\.id))
    }

    @Test(arguments: GalleryFile.all)
    func eachFileIsShortAndNamesItsSchema(file: GalleryFile) throws {
        let lines = String(decoding: try file.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "# yaml-language-server: $schema=accessory.schema.json")
        #expect(lines.dropFirst().count { $0.contains("#") } <= 1)
        #expect(lines.last == "")
        #expect(lines.count <= 60)
    }

    @Test(arguments: GalleryFile.all, [AccessoryFileKind.yaml, .json])
    func eachFileSurvivesADefinitionRoundTrip(file: GalleryFile, kind: AccessoryFileKind) throws {
        let document = try read(file).document
        let (bytes, losses) = try AccessoryFile.write(document, as: kind, name: file.path)
        #expect(losses.map(\.description) == [])
        let again = try AccessoryFile.read(bytes, name: file.path)
        #expect(again.kind == kind)
        #expect(again.warnings.map(\.description) == [])
        #expect(again.document == document)
        #expect(try AccessoryFile.write(again.document, as: kind, name: file.path).bytes == bytes)
    }

    @Test(arguments: GalleryFile.all)
    func eachFileSurvivesAnArchiveRoundTrip(file: GalleryFile) throws {
        let document = try read(file).document
        let (bytes, losses) = try AccessoryFile.write(document, as: .archive, name: file.path)
        let unsaid = losses.map(\.reason)
            .filter { reason in !Self.expectedArchiveLosses.contains { reason.contains($0) } }
        #expect(unsaid == [])
        let again = try AccessoryFile.read(bytes, name: file.path)
        #expect(again.warnings.map(\.description) == [])
        #expect(again.document.archivable == document.archivable)
    }

    /// The losses that occur because an export cannot represent a property, or needs one that a definition may omit.
    private static let expectedArchiveLosses = [
        "file needs a device ID", "file needs a setup ID", "file needs a setup code",
        "the valid values are lost", "its simulation is lost", "its driver is lost", "the id \"\" becomes",
    ]

    /// The export next to the garage's definition describes the same accessory.
    @Test
    func garageExportMatchesItsDefinition() throws {
        let bytes = try #require(GalleryFile.includedFile("garage.hasaccessory"))
        let export = try AccessoryFile.read(bytes, name: "garage.hasaccessory")
        #expect(export.kind == .archive)
        #expect(export.warnings.map(\.description) == [])
        let definition = try read(GalleryFile(name: "garage")).document
        #expect(export.document.archivable == definition.archivable)
        let accessory = try #require(definition.accessories.first)
        let builtIn = KilgoGarage.accessory(isSimulated: false)
        #expect(accessory.services.map(\.key) == builtIn.services.map(\.key))
        #expect(
            accessory.services.map { Set($0.characteristics) } == builtIn.services.map { Set($0.characteristics) }
        )
    }

    private func read(_ file: GalleryFile) throws -> AccessoryFileContents {
        try AccessoryFile.read(file.bytes, name: file.path, include: GalleryFile.includedFile)
    }
}

extension FileAccessory {
    /// The value of a characteristic of Accessory Information.
    fileprivate subscript(_ type: CharacteristicType) -> CharacteristicValue? {
        services.first?.characteristics.first { $0.type == type }?.value
    }
}

extension CharacteristicMetadata {
    /// The minimum and the maximum.
    fileprivate var range: [JSONNumber?] { [minimum, maximum] }
}

extension AccessoryDocument {
    /// The document without ids, valid values and behaviors, and with services distinguished by their positions.
    fileprivate var archivable: AccessoryDocument {
        var document = self
        (document.deviceID, document.setupID, document.setupCode, document.configurationNumber) = (nil, nil, nil, nil)
        document.accessories = accessories.map(\.archivable)
        return document
    }
}

extension FileAccessory {
    fileprivate var archivable: FileAccessory {
        var accessory = self
        accessory.aid = nil
        accessory.driver = nil
        let keys = services.map(\.key)
        let places = keys.indices.map { ServiceKey(keys[$0].type, subtype: "\($0)") }
        for place in places.indices {
            accessory.services[place].key = places[place]
            accessory.services[place].linked = services[place].linked.compactMap { keys.firstIndex(of: $0) }
                .map { places[$0] }
            accessory.services[place].iid = nil
            accessory.services[place].simulation = .automatic
            for index in services[place].characteristics.indices {
                accessory.services[place].characteristics[index].iid = nil
                accessory.services[place].characteristics[index].metadata.validValues = []
            }
        }
        return accessory
    }
}
