import AccessoryModel
import HAPCore
import TestSupport
import Testing

/// Tests that writing random JSON never traps, and that an accepted value is valid for its characteristic.
@Suite struct RandomValidationTests {
    @Test(arguments: Catalog.characteristics)
    func acceptedValueSatisfiesTheMetadata(_ definition: CharacteristicDefinition) {
        var generator = SeededRandom(seed: 0x4B47 + UInt64(definition.type.uuid.apple ?? 0))
        let metadata = definition.metadata
        for _ in 0..<300 {
            let json = Self.value(for: metadata, depth: 0, using: &generator)
            let lenient = metadata.value(from: json, isStrict: false)
            let strict = metadata.value(from: json, isStrict: true)
            #expect(strict == nil || strict == lenient, "\(json) strictly")
            guard let lenient else { continue }
            #expect(metadata.value(from: lenient, isStrict: true) == lenient, "\(json) is \(lenient), which is refused")
            check(lenient, against: metadata)
        }
    }

    private func check(_ value: CharacteristicValue, against metadata: CharacteristicMetadata) {
        switch value {
        case .bool: #expect(metadata.format == .bool)
        case .number(let number):
            #expect(metadata.format.isNumeric)
            #expect(metadata.format.integerRange?.contains(number) ?? true)
            #expect(metadata.minimum.map { $0 <= number } ?? true)
            #expect(metadata.maximum.map { number <= $0 } ?? true)
            #expect(metadata.validValues.isEmpty || metadata.validValues.contains(number))
        case .string(let text):
            #expect(metadata.format == .string)
            #expect(text.utf8.count <= metadata.maximumLength ?? 64)
        case .data(let bytes):
            #expect(metadata.format == .tlv8 || metadata.format == .data)
            #expect(bytes.count <= metadata.maximumDataLength ?? 2_097_152)
        }
    }

    private static func value(
        for metadata: CharacteristicMetadata,
        depth: Int,
        using generator: inout SeededRandom
    ) -> JSONValue {
        switch Int.random(in: 0..<(depth < 3 ? 11 : 9), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2: .number(JSONNumber(UInt64.random(in: .min ... .max, using: &generator)))
        case 3: .number(JSONNumber(Int64.random(in: .min ... .max, using: &generator)))
        case 4: .number(JSONNumber(Double(bitPattern: generator.next())) ?? 0)
        case 5: .number(JSONNumber(Double.random(in: -400...400, using: &generator)) ?? 0)
        case 6: .number(nearLimit(of: metadata, using: &generator))
        case 7: .string(String(repeating: "ä", count: Int.random(in: 0...140, using: &generator)))
        case 8: .string(Base64.encode((0..<Int.random(in: 0...20, using: &generator)).map { UInt8($0) }))
        case 9: .array([value(for: metadata, depth: depth + 1, using: &generator)])
        default: .object(["value": value(for: metadata, depth: depth + 1, using: &generator)])
        }
    }

    private static func nearLimit(
        of metadata: CharacteristicMetadata,
        using generator: inout SeededRandom
    ) -> JSONNumber {
        let range = metadata.format.integerRange
        let ends: [JSONNumber?] = [metadata.minimum, metadata.maximum, range?.lowerBound, range?.upperBound]
        let limits = ends.compactMap(\.self) + metadata.validValues
        let limit = limits.randomElement(using: &generator) ?? 0
        let offsets: [Double] = [0, 0, 1, -1, 0.5, -0.5, 0.001, -0.001]
        let offset = offsets.randomElement(using: &generator) ?? 0
        return offset == 0 ? limit : JSONNumber(limit.double + offset) ?? limit
    }
}
