import AccessoryModel
import HAPCore
import Testing

/// Tests rules that apply to the metadata of every characteristic type.
@Suite struct CatalogMetadataTests {
    @Test(arguments: Catalog.characteristics)
    func limitsAndValuesAgreeWithEachOtherAndTheFormat(_ definition: CharacteristicDefinition) {
        let metadata = definition.metadata
        let format = metadata.format
        let numbers = [metadata.minimum, metadata.maximum, metadata.step].compactMap(\.self) + metadata.validValues
        #expect(numbers.isEmpty || format.isNumeric)
        if let minimum = metadata.minimum, let maximum = metadata.maximum {
            #expect(minimum <= maximum)
        }
        if let step = metadata.step {
            #expect(step > 0)
        }
        for number in numbers {
            #expect(format.integerRange?.contains(number) ?? true)
            #expect(format == .float || number.integer(as: Int64.self) != nil)
        }
        for value in metadata.validValues {
            #expect(metadata.minimum.map { $0 <= value } ?? true)
            #expect(metadata.maximum.map { value <= $0 } ?? true)
        }
    }

    @Test(arguments: Catalog.characteristics)
    func lengthsBelongToTheirFormats(_ definition: CharacteristicDefinition) {
        let metadata = definition.metadata
        #expect(metadata.format == .string || (metadata.minimumLength == nil && metadata.maximumLength == nil))
        #expect(metadata.format == .data || metadata.maximumDataLength == nil)
        #expect(metadata.unit == nil || metadata.format.isNumeric)
        #expect((metadata.maximumLength ?? 64) <= 256)
        #expect((metadata.minimumLength ?? 0) <= (metadata.maximumLength ?? 64))
    }

    @Test(arguments: Catalog.characteristics)
    func validValuesAreNamedAndAscending(_ definition: CharacteristicDefinition) {
        let values = definition.metadata.validValues
        #expect(values == Array(Set(values)).sorted())
        let named = definition.valueNames.map(\.value)
        #expect(named == (definition.metadata.format == .bool ? named.sorted() : values))
        #expect(Set(definition.valueNames.map(\.name)).count == named.count)
        #expect(definition.valueNames.isEmpty || definition.bitNames.isEmpty)
    }

    @Test(arguments: Catalog.characteristics)
    func permissionsAreConsistent(_ definition: CharacteristicDefinition) {
        let permissions = definition.permissions
        #expect(!permissions.isDisjoint(with: [.read, .write, .events]))
        #expect(permissions.contains(.write) || permissions.isDisjoint(with: [.timedWrite, .writeResponse]))
        #expect(permissions.contains(.write) || !definition.adminOnly.contains(.write))
        #expect(permissions.contains(.events) || !definition.adminOnly.contains(.notify))
    }
}
