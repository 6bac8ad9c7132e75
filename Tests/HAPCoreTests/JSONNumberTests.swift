import HAPCore
import Testing

struct JSONNumberTests {
    @Test func integralNumberIsAlwaysAnInteger() {
        #expect(JSONNumber(1.0) == 1)
        #expect(JSONNumber(-0.0) == 0)
        #expect(JSONNumber(-3.0) == .negative(-3))
        #expect(JSONNumber(Int64.min) == .negative(.min))
        #expect(JSONNumber(UInt64.max) == .unsigned(.max))
        #expect(JSONNumber(0x1p64) == .real(0x1p64))
    }

    @Test func nonFiniteNumberIsRefused() {
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
    }

    @Test func numbersAreOrderedByValue() {
        let ordered: [JSONNumber] = [
            .real(-1e300), .real(-0x1p64), .negative(.min), .negative(.min + 1), -2.5, -1, -0.5, 0, 0.5, 1, 1.5, 2,
            .unsigned(1 << 53), .unsigned(1 << 53 + 1), .unsigned(.max - 1), .unsigned(.max), .real(0x1p64),
            .real(1e300),
        ]
        for (position, left) in ordered.enumerated() {
            for (other, right) in ordered.enumerated() {
                #expect((left < right) == (position < other), "\(left) and \(right)")
            }
        }
    }

    @Test func integerIsReturnedOnlyIfItFits() {
        #expect(JSONNumber(255).integer(as: UInt8.self) == 255)
        #expect(JSONNumber(256).integer(as: UInt8.self) == nil)
        #expect(JSONNumber(-1).integer(as: UInt64.self) == nil)
        #expect(JSONNumber(floatLiteral: 1.5).integer(as: Int.self) == nil)
        #expect(JSONNumber.real(1e300).integer(as: Int.self) == nil)
    }
}
