extension [UInt8] {
    /// Appends a number in decimal without creating the string that `description` would.
    package mutating func appendDecimal(_ value: UInt64) {
        if value < 10 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
            return
        }
        // The largest number has 20 digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var position = digits.count
            var rest = value
            while rest > 0 {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                position -= 1
                digits[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            }
            append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[position...]))
        }
    }

    /// Appends a number in decimal without creating the string that `description` would.
    package mutating func appendDecimal(_ value: Int64) {
        if value < 0 {
            append(UInt8(ascii: "-"))
        }
        appendDecimal(value.magnitude)
    }
}
