import AccessoryModel
import HAPCore
import Testing

/// Tests that the configuration number changes with the structure and with nothing else.
///
/// HAP: §11.7
@Suite struct ConfigurationNumberTests {
    private func digest(_ change: (inout Service) -> Void = { _ in }) throws -> [UInt8] {
        var light = Sample.light()
        change(&light)
        return try Sample.database(light, Sample.light(subtype: "other")).digest
    }

    @Test func sameStructureHasTheSameDigestOf64Bytes() throws {
        #expect(try digest() == digest())
        #expect(try digest().count == 64)
    }

    @Test func valuesAndBehaviorsDoNotChangeTheDigest() throws {
        #expect(try digest { $0.characteristics[1].value = 200 } == digest())
        #expect(try digest { $0.behavior = RecordingBehavior() } == digest())
        var database = try Sample.database(Sample.light())
        let before = database.digest
        var changes = ChangeSet()
        #expect(database.setValue(5, at: database.position(of: .hue), into: &changes))
        #expect(database.digest == before)
    }

    @Test(arguments: [
        StructureChange("added characteristic") { $0.characteristics.append(.init(cataloged: .brightness, value: 1)) },
        StructureChange("removed characteristic") { $0.characteristics.removeLast() },
        StructureChange("maximum") { $0.characteristics[1].metadata.maximum = 180 },
        StructureChange("minimum") { $0.characteristics[1].metadata.minimum = -10 },
        StructureChange("step") { $0.characteristics[1].metadata.step = 2 },
        StructureChange("unit") { $0.characteristics[1].metadata.unit = nil },
        StructureChange("format") { $0.characteristics[0].metadata.format = .uint8 },
        StructureChange("valid values") { $0.characteristics[1].metadata.validValues = [0, 120, 240] },
        StructureChange("permissions") { $0.characteristics[1].permissions = [.read, .write] },
        StructureChange("timed write") { $0.characteristics[1].permissions.insert(.timedWrite) },
        StructureChange("description") { $0.characteristics[1].description = "Colour" },
        StructureChange("type") { $0.characteristics[1].type = .brightness },
        StructureChange("characteristic's id") { $0.characteristics[1].iid = InstanceID(50) },
        StructureChange("service's id") { $0.iid = InstanceID(50) },
        StructureChange("hidden") { $0.isHidden = true },
        StructureChange("primary") { $0.isPrimary = true },
        StructureChange("linked") { $0.linked = [ServiceKey(.lightbulb, subtype: "other")] },
        StructureChange("service's type") { $0.key = ServiceKey(.switch) },
    ])
    func everyVisibleChangeChangesTheDigest(_ change: StructureChange) throws {
        #expect(try digest(change.apply) != digest())
    }

    @Test func firmwareUpdateChangesTheDigest() throws {
        func digest(firmware: String, name: String = "n") throws -> [UInt8] {
            let information = Service.accessoryInformation(
                name: name,
                manufacturer: "m",
                model: "m",
                serialNumber: "s1",
                firmware: firmware
            )
            let bridged = Accessory(key: "b", services: [information])
            var identifiers = IdentifierMap()
            return try AttributeDatabase([Sample.accessory([]), bridged], identifiers: &identifiers).digest
        }
        #expect(try digest(firmware: "1.0.0") != digest(firmware: "1.0.1"))
        #expect(try digest(firmware: "1.0.0") == digest(firmware: "1.0.0", name: "other"))
    }

    @Test func transmittedLengthsChangeTheDigest() throws {
        func digest(_ metadata: CharacteristicMetadata) throws -> [UInt8] {
            try Sample.database(Characteristic(type: Sample.first, permissions: [.read], metadata: metadata)).digest
        }
        #expect(try digest(.init(format: .string)) != digest(.init(format: .string, maximumLength: 128)))
        #expect(try digest(.init(format: .data)) != digest(.init(format: .data, maximumDataLength: 128)))
    }

    @Test func firstStructureHasNumber1() {
        let record = ConfigurationRecord().updated(for: [1])
        #expect(record == ConfigurationRecord(number: 1, digest: [1]))
        #expect(record.updated(for: [1]) == record)
    }

    @Test func newStructureTakesTheNextNumberAnd1Follows65535() {
        #expect(ConfigurationRecord(number: 1, digest: [1]).updated(for: [2]).number == 2)
        #expect(ConfigurationRecord(number: 65_534, digest: [1]).updated(for: [2]).number == 65_535)
        let wrapped = ConfigurationRecord(number: 65_535, digest: [1]).updated(for: [2])
        #expect(wrapped == ConfigurationRecord(number: 1, digest: [2]))
        #expect(ConfigurationRecord(number: 65_535, digest: [1]).updated(for: [1]).number == 65_535)
    }

    @Test func number0MeansNoNumber() {
        #expect(ConfigurationRecord(number: 0).number == 1)
    }

    @Test func storedNumberWithoutADigestIsUnchanged() {
        #expect(ConfigurationRecord(number: 9).updated(for: [1]).number == 9)
    }
}
