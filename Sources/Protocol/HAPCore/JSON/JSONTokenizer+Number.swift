extension JSONTokenizer {
    /// Reads a number.
    ///
    /// Integers of 64 bits are exact however they are written; others are the nearest `Double`.
    package mutating func readNumber(_ input: Span<UInt8>) throws(JSONSyntaxError) -> JSONNumber {
        let start = position
        var decimal = Decimal()
        if peek(input) == UInt8(ascii: "-") {
            decimal.isNegative = true
            position += 1
        }
        if peek(input) == UInt8(ascii: "0") {
            position += 1
            guard peek(input).decimalDigit == nil else { throw .leadingZero }
        } else {
            guard readDigits(input, into: &decimal) > 0 else { throw .missingDigits }
        }
        if peek(input) == UInt8(ascii: ".") {
            position += 1
            let count = readDigits(input, into: &decimal)
            guard count > 0 else { throw .missingFraction }
            decimal.exponent = -count
        }
        if peek(input) | 0x20 == UInt8(ascii: "e") {
            position += 1
            decimal.exponent += try readExponent(input)
        }
        // No real sender writes more, and an attacker could cause much work cheaply with thousands of digits.
        guard position - start <= 1024 else { throw .tooManyDigits }
        if let number = decimal.exactNumber {
            return number
        }
        return try nearestDouble(input, from: start)
    }

    /// Adds digits to the number, and returns the number of digits.
    private mutating func readDigits(_ input: Span<UInt8>, into decimal: inout Decimal) -> Int {
        let start = position
        while let digit = peek(input).decimalDigit {
            decimal.append(digit)
            position += 1
        }
        return position - start
    }

    private mutating func readExponent(_ input: Span<UInt8>) throws(JSONSyntaxError) -> Int {
        let isNegative = peek(input) == UInt8(ascii: "-")
        if isNegative || peek(input) == UInt8(ascii: "+") {
            position += 1
        }
        guard peek(input).decimalDigit != nil else { throw .missingExponent }
        var magnitude = 0
        while let digit = peek(input).decimalDigit {
            // Beyond this limit every number is zero or infinite, so further digits of the exponent do not matter.
            magnitude = min(magnitude * 10 + Int(digit), 100_000)
            position += 1
        }
        return isNegative ? -magnitude : magnitude
    }

    private func nearestDouble(_ input: Span<UInt8>, from start: Int) throws(JSONSyntaxError) -> JSONNumber {
        let text = input.extracting(start..<position).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard let value = Double(text), let number = JSONNumber(value) else { throw .outOfRange }
        return number
    }
}

extension JSONTokenizer {
    /// The digits of a number without the point, and the power of ten that restores it.
    private struct Decimal {
        var isNegative = false
        var exponent = 0
        private var digits: UInt64 = 0
        private var fitsUInt64 = true

        mutating func append(_ digit: UInt8) {
            let (shifted, multiplicationOverflow) = digits.multipliedReportingOverflow(by: 10)
            let (sum, additionOverflow) = shifted.addingReportingOverflow(UInt64(digit))
            digits = sum
            if multiplicationOverflow || additionOverflow {
                fitsUInt64 = false
            }
        }

        /// The number, if 64 bits can represent its digits and at most one rounding is needed; otherwise `nil`.
        var exactNumber: JSONNumber? {
            guard fitsUInt64 else { return nil }
            guard digits != 0 else { return .unsigned(0) }
            var digits = digits
            var power = exponent
            while power < 0, digits.isMultiple(of: 10) {
                digits /= 10
                power += 1
            }
            if power >= 0 {
                return integer(digits, power)
            }
            // Both numbers are exact as a `Double`, so that the single division rounds correctly.
            guard digits <= 1 << 53, -power < Self.powersOfTen.count else { return nil }
            let magnitude = Double(digits) / Self.powersOfTen[-power]
            return JSONNumber(isNegative ? -magnitude : magnitude)
        }

        private func integer(_ digits: UInt64, _ power: Int) -> JSONNumber? {
            var magnitude = digits
            // Nineteen steps at most: a 20th power of ten overflows.
            for _ in 0..<min(power, 20) {
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                guard !overflow else { return nil }
                magnitude = product
            }
            if !isNegative {
                return .unsigned(magnitude)
            }
            guard magnitude <= Int64.min.magnitude else { return nil }
            return .negative(Int64(truncatingIfNeeded: 0 &- magnitude))
        }

        private static let powersOfTen: [Double] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
        ]
    }
}
