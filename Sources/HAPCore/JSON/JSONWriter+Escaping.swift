extension JSONWriter {
    /// Appends a text in quotes, escaping only what JSON demands: quotes, backslashes and control characters.
    package static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { append($0, to: &bytes) }
        if isWritten == nil {
            Array(text.utf8).withUnsafeBufferPointer { append($0, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Copies runs without escapes at once: nearly every text is one.
    private static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var runStart = text.startIndex
        for position in text.indices where needsEscape(text[position]) {
            bytes.append(contentsOf: text[runStart..<position])
            appendEscape(of: text[position], to: &bytes)
            runStart = position + 1
        }
        bytes.append(contentsOf: text[runStart...])
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
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
