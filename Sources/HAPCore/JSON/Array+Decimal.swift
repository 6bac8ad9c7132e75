extension [UInt8] {
    /// Appends a number in decimal, without the string that `description` would make.
    package mutating func appendDecimal(_ value: UInt64) {
        if value < 10 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
            return
        }
        var digits = 0
        var rest = value
        while rest > 0 {
            rest /= 10
            digits += 1
        }
        append(contentsOf: repeatElement(0, count: digits))
        var position = count
        rest = value
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            position -= 1
            self[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
    }

    /// Appends a number in decimal, without the string that `description` would make.
    package mutating func appendDecimal(_ value: Int64) {
        if value < 0 {
            append(UInt8(ascii: "-"))
        }
        appendDecimal(value.magnitude)
    }
}
