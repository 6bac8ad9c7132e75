extension JSONWriter {
    /// Appends a quoted text, with escapes for quotes, backslashes, ASCII control characters and others on request.
    static func appendEscaped(_ text: String, _ escaping: Escaping, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        if escaping == .terminal, text.unicodeScalars.contains(where: needsTerminalEscape) {
            for scalar in text.unicodeScalars {
                if needsTerminalEscape(scalar) {
                    appendEscape(of: scalar, to: &bytes)
                } else if let byte = UInt8(exactly: scalar.value), needsEscape(byte) {
                    appendEscape(of: byte, to: &bytes)
                } else {
                    bytes.append(contentsOf: scalar.utf8)
                }
            }
            return
        }
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { append($0, to: &bytes) }
        if isWritten == nil {
            Array(text.utf8).withUnsafeBufferPointer { append($0, to: &bytes) }
        }
    }

    /// Returns the maximum number of bytes that ``appendEscaped(_:_:to:)`` appends for a text.
    package static func maximumEscapedSize(of text: String) -> Int {
        text.utf8.reduce(2) { size, byte in
            size + (byte < 0x20 ? 6 : needsEscape(byte) ? 2 : 1)
        }
    }

    /// Copies each run without escapes in one piece; nearly every text is a single run.
    private static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var runStart = text.startIndex
        for position in text.indices where needsEscape(text[position]) {
            bytes.append(contentsOf: text[runStart..<position])
            appendEscape(of: text[position], to: &bytes)
            runStart = position + 1
        }
        bytes.append(contentsOf: text[runStart...])
    }

    /// Returns whether a character needs an escape that JSON itself does not require.
    private static func needsTerminalEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x7F && scalar.isTerminalControl
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Appends the escapes of a character: one for each of its UTF-16 code units, as JSON requires.
    private static func appendEscape(of scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        for unit in scalar.utf16 {
            bytes.append(contentsOf: "\\u".utf8)
            for shift in stride(from: 12, through: 0, by: -4) {
                bytes.append(UInt8.upperHexadecimalDigits[Int(unit >> shift) & 0x0F])
            }
        }
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8.upperHexadecimalDigits[Int(byte >> 4)])
            bytes.append(UInt8.upperHexadecimalDigits[Int(byte & 0x0F)])
        }
    }
}
