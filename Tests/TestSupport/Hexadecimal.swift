package import HAPCore

extension [UInt8] {
    /// Reads hexadecimal digits; a vector that is not hexadecimal is the test's own fault.
    package init(hex: String) {
        let digits = hex.utf8.compactMap(\.hexadecimalDigit)
        precondition(digits.count == hex.utf8.count && digits.count.isMultiple(of: 2), "not hexadecimal: \(hex)")
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Lower-case hexadecimal digits.
    package var hex: String {
        map(\.paddedHexadecimal).joined()
    }
}

extension SecretBytes {
    /// Creates a secret from a test vector.
    package init(hex: String) {
        self.init(copying: [UInt8](hex: hex))
    }

    /// Lower-case hexadecimal digits, to compare with a vector.
    package var hex: String {
        withBytes { Array($0) }.hex
    }
}
