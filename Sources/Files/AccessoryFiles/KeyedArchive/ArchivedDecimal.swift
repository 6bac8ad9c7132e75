internal import HAPCore

/// A decimal number in the form of an archived `NSDecimalNumber`: a 128-bit integer times a power of ten.
struct ArchivedDecimal: Hashable {
    /// The digits without the decimal point.
    let mantissa: UInt128
    /// The power of ten, −128 to 127.
    let exponent: Int
    /// Whether the number is below 0.
    let isNegative: Bool

    /// Creates a number from its archived parts; returns `nil` if they are invalid.
    ///
    /// - Parameters:
    ///   - bytes: Eight units of two bytes, starting with the lowest unit.
    ///   - length: The number of units in use.
    ///   - isBigEndian: Whether the higher byte of a unit comes first.
    ///   - exponent: The power of ten.
    ///   - isNegative: Whether the number is below 0.
    init?(mantissa bytes: [UInt8], length: Int, isBigEndian: Bool, exponent: Int, isNegative: Bool) {
        // A negative number without digits represents NaN.
        guard bytes.count == 16, 0...8 ~= length, -128...127 ~= exponent, length > 0 || !isNegative else { return nil }
        var mantissa: UInt128 = 0
        for unit in (0..<length).reversed() {
            let (low, high) =
                isBigEndian ? (bytes[2 * unit + 1], bytes[2 * unit]) : (bytes[2 * unit], bytes[2 * unit + 1])
            mantissa = mantissa << 16 | UInt128(high) << 8 | UInt128(low)
        }
        self.mantissa = mantissa
        self.exponent = exponent
        self.isNegative = isNegative
    }

    /// Creates a number from the digits of its shortest text; returns `nil` if the exponent is out of range.
    init?(_ number: JSONNumber) {
        let text = number.description
        let parts = text.split(separator: "e", maxSplits: 1)
        guard let significand = parts.first, var exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
        let digits = significand.utf8.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        if let point = significand.utf8.firstIndex(of: UInt8(ascii: ".")) {
            exponent -= significand.utf8[point...].count - 1
        }
        guard var mantissa = UInt128(String(decoding: digits, as: UTF8.self)) else { return nil }
        while mantissa != 0, mantissa.isMultiple(of: 10) {
            mantissa /= 10
            exponent += 1
        }
        guard -128...127 ~= exponent else { return nil }
        self.mantissa = mantissa
        self.exponent = mantissa == 0 ? 0 : exponent
        isNegative = mantissa != 0 && text.hasPrefix("-")
    }

    /// The number, which is exact for 64-bit integers and otherwise the nearest `Double`.
    var number: JSONNumber? {
        var digits = mantissa
        var power = exponent
        // An integer of 64 bits may have more than 64 bits with the zeros after its point.
        while power < 0, digits != 0, digits.isMultiple(of: 10) {
            digits /= 10
            power += 1
        }
        return JSONNumber(parsing: "\(isNegative ? "-" : "")\(digits)e\(power)")
    }

    /// The number of two-byte units of the digits.
    var length: Int {
        (UInt128.bitWidth - mantissa.leadingZeroBitCount + 15) / 16
    }

    /// The digits as sixteen bytes in little-endian order.
    var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> UInt128(8 * $0)) }
    }
}
