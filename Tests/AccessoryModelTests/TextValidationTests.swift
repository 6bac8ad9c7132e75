import AccessoryModel
import HAPCore
import Testing

/// Tests which strings and data in JSON a characteristic accepts.
///
/// HAP: §11.5, §13
@Suite struct TextValidationTests {
    private static let name = CharacteristicMetadata(format: .string)

    @Test(
        arguments: [
            (0, nil, true), (64, nil, true), (65, nil, false), (65, 65, true), (66, 65, false), (256, 256, true),
            (257, 256, false), (1, 0, false), (0, 0, true),
        ] as [(Int, Int?, Bool)]
    )
    func textLengthIsCountedInBytes(count: Int, maximum: Int?, isAccepted: Bool) {
        let metadata = CharacteristicMetadata(format: .string, maximumLength: maximum)
        let text = String(repeating: "a", count: count)
        ValidationCase(metadata, .string(text), isAccepted ? .string(text) : nil).check()
    }

    @Test func aCharacterCountsWithAllItsBytes() {
        let fits = String(repeating: "ü", count: 32)
        ValidationCase(Self.name, .string(fits), .string(fits)).check()
        ValidationCase(Self.name, .string(fits + "a"), nil).check()
        let doors = String(repeating: "🚪", count: 16)
        ValidationCase(Self.name, .string(doors), .string(doors)).check()
        ValidationCase(Self.name, .string(doors + "a"), nil).check()
    }

    @Test(arguments: [(0, false), (1, false), (2, true), (3, true), (4, false)])
    func textHasAMinimumLength(count: Int, isAccepted: Bool) {
        let metadata = CharacteristicMetadata(format: .string, minimumLength: 2, maximumLength: 3)
        let text = String(repeating: "a", count: count)
        ValidationCase(metadata, .string(text), isAccepted ? .string(text) : nil).check()
    }

    @Test(arguments: [JSONValue.null, true, 1, 1.5, ["a"], .object(["a": "b"])])
    func onlyStringsAreAccepted(_ json: JSONValue) {
        for format in [CharacteristicFormat.string, .tlv8, .data] {
            ValidationCase(.init(format: format), json, nil).check()
        }
    }

    @Test(arguments: [CharacteristicFormat.tlv8, .data])
    func bytesAreEncodedInBase64(_ format: CharacteristicFormat) {
        let metadata = CharacteristicMetadata(format: format)
        ValidationCase(metadata, "", .data([])).check()
        ValidationCase(metadata, "AQ==", .data([1])).check()
        ValidationCase(metadata, "AQID", .data([1, 2, 3])).check()
        ValidationCase(metadata, "+/8=", .data([0xFB, 0xFF])).check()
        for text in [
            "AQ", "AQ=", "AQ===", "AR==", "AQJ=", "A", "=", "====", "AQ==AQ==", "-_8=", "AQ ==", "AQ==\n", "ä",
        ] {
            ValidationCase(metadata, .string(text), nil).check()
        }
    }

    @Test(arguments: [CharacteristicFormat.tlv8, .data])
    func bytesAreLimitedToTheDeclaredLength(_ format: CharacteristicFormat) {
        let metadata = CharacteristicMetadata(format: format, maximumDataLength: 3)
        ValidationCase(metadata, "AQID", .data([1, 2, 3])).check()
        ValidationCase(metadata, "AQIDBA==", nil).check()
    }

    @Test func bytesWithoutADeclaredLimitAreLimitedTo2MiB() {
        let metadata = CharacteristicMetadata(format: .data)
        let most = [UInt8](repeating: 7, count: 2_097_152)
        #expect(metadata.value(from: JSONValue.string(Base64.encode(most)), isStrict: true) == .data(most))
        #expect(metadata.value(from: JSONValue.string(Base64.encode(most + [7])), isStrict: true) == nil)
    }

    @Test(
        arguments: [
            (.init(format: .data, maximumDataLength: 2), .data([1, 2]), .data([1, 2])),
            (.init(format: .data, maximumDataLength: 2), .data([1, 2, 3]), nil),
            (.init(format: .data), "AQ==", nil), (name, .data([1]), nil), (name, "a", "a"), (name, 1, nil),
            (.init(format: .uint8, maximum: 3), true, 1), (.init(format: .uint8, maximum: 3), 4, nil),
            (.init(format: .uint8, maximum: 3), "1", nil), (.init(format: .bool), 1, true),
            (.init(format: .bool), 2, nil),
        ] as [(CharacteristicMetadata, CharacteristicValue, CharacteristicValue?)]
    )
    func storedOrReportedValueMustMatchItsFormat(
        metadata: CharacteristicMetadata,
        value: CharacteristicValue,
        accepted: CharacteristicValue?
    ) {
        #expect(metadata.value(from: value, isStrict: false) == accepted)
    }
}
