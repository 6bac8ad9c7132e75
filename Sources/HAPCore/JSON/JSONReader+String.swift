extension JSONReader {
    /// Reads a string, its quotes included.
    mutating func string(_ input: Span<UInt8>) throws(ProtocolError) -> String {
        position += 1
        let start = position
        try skipPlainBytes(input)
        if peek(input) == UInt8(ascii: "\"") {
            position += 1
            return try text(input.extracting(start..<(position - 1)))
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
                return try text(bytes.span)
            }
            try escape(input, into: &bytes)
            runStart = position
            try skipPlainBytes(input)
        }
    }

    /// Stops at the quote or backslash that must come.
    private mutating func skipPlainBytes(_ input: Span<UInt8>) throws(ProtocolError) {
        // A variable of its own, which stays in a register: a text may have megabytes.
        var end = position
        while end < input.count {
            switch input[end] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                position = end
                return
            case 0..<0x20:
                position = end
                throw fault("a control character in a string")
            default: end += 1
            }
        }
        position = end
        throw fault("a string does not end")
    }

    private func text(_ bytes: Span<UInt8>) throws(ProtocolError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw fault("a string is not UTF-8")
        }
    }

    /// Reads what follows a backslash.
    private mutating func escape(_ input: Span<UInt8>, into bytes: inout [UInt8]) throws(ProtocolError) {
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
            let scalar = try escapedScalar(input)
            if scalar.isASCII {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: scalar.utf8)
            }
            return
        default: throw fault("no escape is written like this")
        }
        position += 1
        bytes.append(plain)
    }

    /// Reads the digits after `\u`, and the second half when they are the first half of a pair.
    private mutating func escapedScalar(_ input: Span<UInt8>) throws(ProtocolError) -> Unicode.Scalar {
        let first = try fourDigits(input)
        if let scalar = Unicode.Scalar(first) {
            return scalar
        }
        guard first < 0xDC00 else { throw fault("a lone surrogate") }
        guard peek(input) == UInt8(ascii: "\\") else { throw fault("a lone surrogate") }
        position += 1
        guard peek(input) == UInt8(ascii: "u") else { throw fault("a lone surrogate") }
        position += 1
        let second = try fourDigits(input)
        guard 0xDC00...0xDFFF ~= second else { throw fault("a lone surrogate") }
        guard let scalar = Unicode.Scalar(0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)) else {
            throw fault("a lone surrogate")
        }
        return scalar
    }

    private mutating func fourDigits(_ input: Span<UInt8>) throws(ProtocolError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = peek(input).hexadecimalDigit else { throw fault("an escape lacks its four digits") }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }
}
