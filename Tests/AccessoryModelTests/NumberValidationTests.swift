import AccessoryModel
import HAPCore
import Testing

/// Tests which Booleans and numbers in JSON a characteristic accepts.
///
/// HAP: §11.5, §13, §0 (numbers)
@Suite struct NumberValidationTests {
    private static let bool = CharacteristicMetadata(format: .bool)
    private static let uint8 = CharacteristicMetadata(format: .uint8)
    private static let uint64 = CharacteristicMetadata(format: .uint64)
    private static let int = CharacteristicMetadata(format: .int)
    private static let float = CharacteristicMetadata(format: .float)
    private static let door = Catalog.characteristic(.targetDoorState)?.metadata ?? bool
    private static let fade = CharacteristicMetadata(format: .float, minimum: 0, maximum: 10, step: 0.5)
    private static let tenths = CharacteristicMetadata(format: .float, minimum: -270, maximum: 100, step: 0.1)

    @Test(arguments: [
        ValidationCase(bool, true, true), ValidationCase(bool, false, false), ValidationCase(bool, 1, true),
        ValidationCase(bool, 0, false), ValidationCase(bool, 1.0, true), ValidationCase(bool, 2, nil),
        ValidationCase(bool, -1, nil), ValidationCase(bool, 0.5, nil), ValidationCase(bool, "true", nil),
        ValidationCase(bool, "1", nil), ValidationCase(bool, .null, nil), ValidationCase(bool, [true], nil),
        ValidationCase(bool, .object(["value": true]), nil),
    ])
    func booleanIsAcceptedInFourForms(_ written: ValidationCase) {
        written.check()
    }

    @Test(arguments: [
        ValidationCase(door, true, 1), ValidationCase(door, false, 0), ValidationCase(door, 1, 1),
        ValidationCase(door, 1.0, 1), ValidationCase(door, 0, 0), ValidationCase(door, 2, nil),
        ValidationCase(door, 0.5, nil), ValidationCase(door, -1, nil), ValidationCase(door, "1", nil),
    ])
    func doorTargetAcceptsABoolean(_ written: ValidationCase) {
        written.check()
    }

    @Test(arguments: CharacteristicFormat.allCases.filter(\.isNumeric))
    func numericFormatsAcceptOnlyNumbersAndBooleans(_ format: CharacteristicFormat) {
        let metadata = CharacteristicMetadata(format: format)
        ValidationCase(metadata, true, 1).check()
        ValidationCase(metadata, false, 0).check()
        for json: JSONValue in [.null, "1", "", [1], .object([:])] {
            ValidationCase(metadata, json, nil).check()
        }
        let narrow = CharacteristicMetadata(format: format, minimum: 2, maximum: 3)
        ValidationCase(narrow, true, nil).check()
    }

    @Test(arguments: [
        (CharacteristicFormat.uint8, "0", "255", "-1", "256"), (.uint16, "0", "65535", "-1", "65536"),
        (.uint32, "0", "4294967295", "-1", "4294967296"),
        (.uint64, "0", "18446744073709551615", "-1", "18446744073709551616"),
        (.int, "-2147483648", "2147483647", "-2147483649", "2147483648"),
    ])
    func integerFormatAcceptsExactlyItsRange(
        format: CharacteristicFormat,
        least: String,
        greatest: String,
        below: String,
        above: String
    ) throws {
        let metadata = CharacteristicMetadata(format: format)
        for text in [least, greatest] {
            let json = try JSONValue(parsing: Array(text.utf8))
            let value = try #require(metadata.value(from: json, isStrict: true))
            #expect(value.description == text)
            #expect(metadata.value(from: json, isStrict: false) == value)
        }
        for text in [below, above, "0.5", "1e300", "-1e300"] {
            ValidationCase(metadata, try JSONValue(parsing: Array(text.utf8)), nil).check()
        }
    }

    @Test(arguments: [
        ValidationCase(.init(format: .int, minimum: -5, maximum: 5), -5, -5),
        ValidationCase(.init(format: .int, minimum: -5, maximum: 5), 5, 5),
        ValidationCase(.init(format: .int, minimum: -5, maximum: 5), -6, nil),
        ValidationCase(.init(format: .int, minimum: -5, maximum: 5), 6, nil),
        ValidationCase(fade, 0, 0), ValidationCase(fade, 10, 10), ValidationCase(fade, -0.001, nil),
        ValidationCase(fade, 10.001, nil), ValidationCase(float, 1e308, 1e308), ValidationCase(float, -1e308, -1e308),
        ValidationCase(float, 1e-300, 1e-300),
    ])
    func declaredLimitsAreInclusive(_ written: ValidationCase) {
        written.check()
    }

    @Test(arguments: [
        ValidationCase(fade, 0.74, 0.5, strict: nil), ValidationCase(fade, 0.75, 1, strict: nil),
        ValidationCase(fade, 0.24, 0, strict: nil), ValidationCase(fade, 0.25, 0.5, strict: nil),
        ValidationCase(fade, 9.9, 10, strict: nil), ValidationCase(fade, 9.5, 9.5), ValidationCase(fade, 3, 3),
        ValidationCase(tenths, 0.3, 0.3), ValidationCase(tenths, 0.30000000000000004, 0.3),
        ValidationCase(tenths, -270, -270), ValidationCase(tenths, -269.96, -270, strict: nil),
        ValidationCase(tenths, -269.9, -269.9), ValidationCase(tenths, 21.600000381, 21.6),
        ValidationCase(tenths, 21.64, 21.6, strict: nil), ValidationCase(tenths, 99.96, 100, strict: nil),
        ValidationCase(tenths, -0.04, 0, strict: nil),
    ])
    func realNumberIsRoundedToTheNearestStepWithoutBinaryNoise(_ written: ValidationCase) {
        written.check()
    }

    @Test(arguments: [
        ValidationCase(.init(format: .uint8, minimum: 1, maximum: 10, step: 4), 2, 1, strict: nil),
        ValidationCase(.init(format: .uint8, minimum: 1, maximum: 10, step: 4), 3, 5, strict: nil),
        ValidationCase(.init(format: .uint8, minimum: 1, maximum: 10, step: 4), 9, 9),
        ValidationCase(.init(format: .uint8, minimum: 1, maximum: 10, step: 4), 10, 9, strict: nil),
        ValidationCase(.init(format: .int, minimum: -10, maximum: 10, step: 5), -7, -5, strict: nil),
        ValidationCase(.init(format: .int, minimum: -10, maximum: 10, step: 5), -8, -10, strict: nil),
        ValidationCase(.init(format: .int, step: 10), -14, -10, strict: nil),
        ValidationCase(.init(format: .int, step: 10), -15, -20, strict: nil),
        ValidationCase(.init(format: .uint8, step: 0.5), 7, 7),
        ValidationCase(.init(format: .uint8, step: 0), 7, 7),
    ])
    func integerIsRoundedToTheNearestStepFromTheMinimum(_ written: ValidationCase) {
        written.check()
    }

    @Test(arguments: [
        ValidationCase(.init(format: .float, minimum: 0, maximum: 10, step: 3), 10, 9, strict: nil),
        ValidationCase(.init(format: .float, minimum: 0, maximum: 10, step: 3), 8, 9, strict: nil),
        ValidationCase(.init(format: .float, minimum: 0, maximum: 0.35, step: 0.1), 0.35, 0.3, strict: nil),
        ValidationCase(.init(format: .uint8, step: 10), 255, 250, strict: nil),
        ValidationCase(.init(format: .int, step: 10), -2_147_483_648, -2_147_483_640, strict: nil),
        ValidationCase(.init(format: .int, step: 10), 2_147_483_647, 2_147_483_640, strict: nil),
        ValidationCase(.init(format: .uint64, step: 10), uint64Max, .integer(UInt64.max - 5), strict: nil),
    ])
    func roundingNeverLeavesTheRange(_ written: ValidationCase) {
        written.check()
    }

    private static let uint64Max = JSONValue.number(JSONNumber(UInt64.max))

    @Test(
        arguments: [
            (.max, 1), (.max, 5), (0xFFFF_FFFF_FFFF_FFFE, 2), (0x20_0000_0000_0001, 1), (0x20_0000_0000_0002, 2),
            (18_446_744_073_709_551_610, 10),
        ] as [(UInt64, JSONNumber)]
    )
    func integersOf64BitsKeepEveryBit(number: UInt64, step: JSONNumber) {
        for minimum in [nil, JSONNumber(0)] {
            let metadata = CharacteristicMetadata(format: .uint64, minimum: minimum, step: step)
            ValidationCase(metadata, .number(JSONNumber(number)), .integer(number)).check()
        }
    }

    @Test(arguments: [
        ValidationCase(.init(format: .uint8, validValues: [0, 2]), 2, 2),
        ValidationCase(.init(format: .uint8, validValues: [0, 2]), false, 0),
        ValidationCase(.init(format: .uint8, validValues: [0, 2]), true, nil),
        ValidationCase(.init(format: .uint8, validValues: [0, 2]), 3, nil),
        ValidationCase(.init(format: .uint8, minimum: 0, step: 2, validValues: [0, 2]), 1, 2, strict: nil),
        ValidationCase(.init(format: .uint8, minimum: 0, step: 2, validValues: [0, 2]), 4, nil),
    ])
    func onlyValidValuesAreAccepted(_ written: ValidationCase) {
        written.check()
    }

    @Test func stepIsIgnoredForTooLargeNumbers() {
        ValidationCase(.init(format: .float, step: 0.1), 1.5e308, 1.5e308).check()
        ValidationCase(.init(format: .float, minimum: -1.7e308, step: 0.1), 1.7e308, 1.7e308).check()
    }
}
