import AccessoryModel
import Testing

@testable import AccessoryFiles

/// Tests the numbers of formats and units in archives.
struct ArchiveCodesTests {
    @Test
    func everyFormatHasItsNumber() {
        #expect(ArchiveCodes.code(of: .bool) == 1)
        #expect(ArchiveCodes.code(of: .tlv8) == 10)
        #expect(ArchiveCodes.format(of: 0) == nil)
        for format in CharacteristicFormat.allCases {
            #expect(ArchiveCodes.format(of: ArchiveCodes.code(of: format)) == format)
        }
    }

    @Test
    func everyUnitHasItsNumber() {
        #expect(ArchiveCodes.code(of: .percentage) == 2)
        #expect(ArchiveCodes.code(of: .arcdegrees) == 3)
        #expect(ArchiveCodes.unit(of: 0) == nil)
        for unit in CharacteristicUnit.allCases {
            #expect(ArchiveCodes.unit(of: ArchiveCodes.code(of: unit)) == unit)
        }
    }
}
