extension StringProtocol {
    /// The string without spaces and tabs around it.
    var trimmed: SubSequence {
        var part = self[...]
        while let first = part.first, first == " " || first == "\t" { part = part.dropFirst() }
        while let last = part.last, last == " " || last == "\t" { part = part.dropLast() }
        return part
    }

    /// The value of at most 18 ASCII digits without a sign; `nil` for any other string.
    var decimalInteger: Int? {
        guard (1...18).contains(utf8.count), utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(self)
    }

    /// The nanoseconds of a decimal number of seconds; `nil` unless it is from 0 to 86,400.
    ///
    /// Digits after the ninth decimal place are ignored.
    var decimalNanoseconds: Int64? {
        let parts = split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = parts.first?.decimalInteger, seconds <= 86_400 else { return nil }
        guard parts.count == 2 else { return Int64(seconds) * 1_000_000_000 }
        guard parts[1].utf8.allSatisfy(\.isDigit), parts[1].utf8.count <= 64 else { return nil }
        var fraction: Int64 = 0
        var unit: Int64 = 100_000_000
        for digit in parts[1].utf8.prefix(9) {
            fraction += Int64(digit - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return Int64(seconds) * 1_000_000_000 + fraction
    }

    /// The value of a number of at most 32 characters, with an exponent if it has one.
    ///
    /// `nil` for any other string, and so for infinity, for what is not a number, and for hexadecimal digits.
    var decimalNumber: Double? {
        guard (1...32).contains(utf8.count) else { return nil }
        let isDecimal = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"): true
            default: byte.isDigit
            }
        }
        guard isDecimal, let number = Double(self), number.isFinite else { return nil }
        return number
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII digit.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
