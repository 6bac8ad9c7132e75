internal import HAPCore

extension ControllerIdentifier {
    /// Draws the text of an upper-case UUID of version 4.
    static func random() -> ControllerIdentifier {
        var generator = SystemRandomNumberGenerator()
        let high = UInt64.random(in: .min ... .max, using: &generator) & ~0xF000 | 0x4000
        let low = UInt64.random(in: .min ... .max, using: &generator) & ~(0b11 << 62) | 0b10 << 62
        let digits = Array((high.sixteenDigits + low.sixteenDigits).uppercased())
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        let text = groups.map { String(digits[$0]) }.joined(separator: "-")
        guard let identifier = ControllerIdentifier(text) else { preconditionFailure("a UUID has 36 characters") }
        return identifier
    }
}

extension UInt64 {
    fileprivate var sixteenDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
