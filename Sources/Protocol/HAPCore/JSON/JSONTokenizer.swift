/// An error in a JSON text; the raw value is the reason in words.
package enum JSONSyntaxError: String, Error {
    case leadingZero = "a number begins with a needless zero"
    case missingDigits = "a number lacks its digits"
    case missingFraction = "a fraction lacks its digits"
    case tooManyDigits = "a number has too many digits"
    case missingExponent = "an exponent lacks its digits"
    case outOfRange = "a number is out of range"
    case controlCharacter = "a control character in a string"
    case unterminatedString = "a string does not end"
    case invalidUTF8 = "a string is not UTF-8"
    case invalidEscape = "no escape is written like this"
    case loneSurrogate = "a lone surrogate"
    case missingHexadecimalDigits = "an escape lacks its four digits"
    case textAfterEnd = "text after the end of the value"
    case missingValue = "a value is missing"
    case unexpectedCharacter = "no value begins like this"
    case unterminatedArray = "after an element of an array, there must be , or ]"
    case missingKey = "a member begins with its key"
    case duplicateKey = "a key occurs twice"
    case missingColon = "a key is followed by :"
    case unterminatedObject = "after a member of an object, there must be , or }"
    case invalidLiteral = "neither true, false nor null"
    case tooManyValues = "more values than the limit"
    case tooDeep = "nested deeper than the limit"
}

/// Reads the tokens of a JSON text, strictly by RFC 8259.
///
/// Each method reads at `position` and advances it; after an error, it is the offset of the error.
///
/// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
package struct JSONTokenizer {
    /// The offset of the next byte; at most the size of the text.
    package var position = 0

    /// Creates a tokenizer at the beginning of a text.
    package init() {}

    /// Returns the next byte without consuming it; at the end, a zero byte, which the grammar allows nowhere.
    package func peek(_ input: Span<UInt8>) -> UInt8 {
        position < input.count ? input[position] : 0
    }

    /// Skips whitespace, including line ends.
    package mutating func skipWhitespace(_ input: Span<UInt8>) {
        while position < input.count {
            switch input[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Consumes a byte if it is the next one.
    package mutating func consume(_ byte: UInt8, _ input: Span<UInt8>) -> Bool {
        guard peek(input) == byte else { return false }
        position += 1
        return true
    }

    /// Reads one of the words `true`, `false` and `null`.
    package mutating func readLiteral(_ word: StaticString, _ input: Span<UInt8>) throws(JSONSyntaxError) {
        let end = position + word.utf8CodeUnitCount
        guard end <= input.count, input.extracting(position..<end).isEqual(to: word) else {
            throw .invalidLiteral
        }
        position = end
    }

    /// Reads a string, whose opening quote is the next byte.
    package mutating func readString(_ input: Span<UInt8>) throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        try skipUnescapedBytes(input)
        if peek(input) == UInt8(ascii: "\"") {
            position += 1
            return try validatedString(input.extracting(start..<(position - 1)))
        }
        var bytes: [UInt8] = []
        var runStart = start
        while true {
            if runStart < position {
                input.extracting(runStart..<position).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
            }
            let delimiter = peek(input)
            position += 1
            if delimiter == UInt8(ascii: "\"") {
                return try validatedString(bytes.span)
            }
            try readEscape(input, into: &bytes)
            runStart = position
            try skipUnescapedBytes(input)
        }
    }

    /// Skips to the next quote or backslash; throws if there is none.
    private mutating func skipUnescapedBytes(_ input: Span<UInt8>) throws(JSONSyntaxError) {
        // A local variable stays in a register, which matters because a text can have megabytes.
        var end = position
        while end < input.count {
            switch input[end] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                position = end
                return
            case 0..<0x20:
                position = end
                throw .controlCharacter
            default: end += 1
            }
        }
        position = end
        throw .unterminatedString
    }

    private func validatedString(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw .invalidUTF8
        }
    }

    /// Reads an escape after its backslash.
    private mutating func readEscape(_ input: Span<UInt8>, into bytes: inout [UInt8]) throws(JSONSyntaxError) {
        let character = peek(input)
        let plain: UInt8
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = character
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            position += 1
            let scalar = try readEscapedScalar(input)
            if scalar.isASCII {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: scalar.utf8)
            }
            return
        default: throw .invalidEscape
        }
        position += 1
        bytes.append(plain)
    }

    /// Reads the digits after `\u`, and the second escape if they are the first half of a surrogate pair.
    private mutating func readEscapedScalar(_ input: Span<UInt8>) throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try readFourHexDigits(input)
        if let scalar = Unicode.Scalar(first) {
            return scalar
        }
        guard first < 0xDC00 else { throw .loneSurrogate }
        guard peek(input) == UInt8(ascii: "\\") else { throw .loneSurrogate }
        position += 1
        guard peek(input) == UInt8(ascii: "u") else { throw .loneSurrogate }
        position += 1
        let second = try readFourHexDigits(input)
        guard 0xDC00...0xDFFF ~= second else { throw .loneSurrogate }
        guard let scalar = Unicode.Scalar(0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)) else {
            throw .loneSurrogate
        }
        return scalar
    }

    private mutating func readFourHexDigits(_ input: Span<UInt8>) throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = peek(input).hexadecimalDigit else { throw .missingHexadecimalDigits }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }
}
