import Documents
import HAPCore
import Testing

@testable import AccessoryFiles

/// Tests decimal numbers in the form in which `NSDecimalNumber` archives them.
@Suite
struct ArchivedDecimalTests {
    @Test(
        arguments: [
            (100, 1, 2), (50, 5, 1), (3, 3, 0), (0, 0, 0), (0.5, 5, -1), (21.3, 213, -1), (1e-7, 1, -7),
            (65_536, 65_536, 0),
            (1_000_000_000_000_000_000, 1, 18), (1.5e300, 15, 299),
        ] as [(JSONNumber, UInt128, Int)]
    )
    func aNumberIsItsDigitsTimesAPowerOfTen(_ number: JSONNumber, _ mantissa: UInt128, _ exponent: Int) throws {
        guard -128...127 ~= exponent else {
            #expect(ArchivedDecimal(number) == nil)
            return
        }
        let decimal = try #require(ArchivedDecimal(number))
        #expect(decimal.mantissa == mantissa && decimal.exponent == exponent && !decimal.isNegative)
        #expect(decimal.number == number)
        if case .real(let value) = number {
            let negative = try #require(JSONNumber(-value))
            #expect(ArchivedDecimal(negative)?.isNegative == true)
            #expect(ArchivedDecimal(negative)?.number == negative)
        }
    }

    @Test(
        arguments: [
            .unsigned(.max), .negative(.min), .real(0.1), .real(-1.7976931348623157e100), .real(3.141592653589793),
        ] as [JSONNumber]
    )
    func digitsAreNotLost(_ number: JSONNumber) throws {
        let decimal = try #require(ArchivedDecimal(number))
        let again = ArchivedDecimal(
            mantissa: decimal.bytes,
            length: decimal.length,
            isBigEndian: false,
            exponent: decimal.exponent,
            isNegative: decimal.isNegative
        )
        #expect(again == decimal)
        #expect(again?.number == number)
    }

    @Test
    func unitsBeyondTheLengthAreIgnored() {
        let bytes: [UInt8] = [1, 2, 3, 4] + [UInt8](repeating: 0xFF, count: 12)
        func number(_ length: Int, isBigEndian: Bool = false) -> JSONNumber? {
            decimal(bytes, length: length, isBigEndian: isBigEndian)?.number
        }
        #expect(number(0) == 0)
        #expect(number(1) == 0x0201)
        #expect(number(2) == 0x0403_0201)
        #expect(number(2, isBigEndian: true) == 0x0304_0102)
        #expect(number(8) == .real(0x1p128))
    }

    @Test
    func invalidDecimalIsNil() {
        let one: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
        #expect(decimal(one)?.number == 1)
        #expect(decimal([]) == nil)
        #expect(decimal(one + [0]) == nil)
        #expect(decimal(one, length: -1) == nil)
        #expect(decimal(one, length: 9) == nil)
        #expect(decimal(one, exponent: 128) == nil)
        #expect(decimal(one, exponent: -129) == nil)
        #expect(decimal(one, exponent: .max) == nil)
        // This is how `NSDecimalNumber` archives NaN.
        #expect(decimal(one, length: 0, isNegative: true) == nil)
    }

    private func decimal(
        _ bytes: [UInt8],
        length: Int = 1,
        isBigEndian: Bool = false,
        exponent: Int = 0,
        isNegative: Bool = false
    ) -> ArchivedDecimal? {
        ArchivedDecimal(
            mantissa: bytes,
            length: length,
            isBigEndian: isBigEndian,
            exponent: exponent,
            isNegative: isNegative
        )
    }
}
