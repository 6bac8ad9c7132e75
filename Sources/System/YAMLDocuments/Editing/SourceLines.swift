internal import Documents
internal import HAPCore

/// The text of a document with its lines, so that the positions of nodes can be converted to offsets.
///
/// The text ends with a line end; one is added if it is missing.
struct SourceLines {
    /// The text, without a byte order mark.
    let bytes: [UInt8]
    /// The line end of the first line.
    let lineEnd: String
    /// The offsets at which the lines begin, and the end of the text.
    private let starts: [Int]
    /// The last conversion; the next one usually continues from there.
    private var last = (line: 0, column: 1, offset: 0)

    /// Creates a text; returns `nil` if YAML would divide it into other lines than most editors.
    init?(_ bytes: [UInt8], _ language: DocumentLanguage) {
        guard language == .json || !Self.hasUnusualLineBreaks(bytes) else { return nil }
        var bytes = bytes
        let isCRLF = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
        lineEnd = isCRLF ? "\r\n" : "\n"
        if bytes.last != 0x0A { bytes += Array(lineEnd.utf8) }
        self.bytes = bytes
        starts = [0] + bytes.indices.lazy.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// Returns whether a text has line breaks that YAML recognizes in addition to LF and CRLF.
    private static func hasUnusualLineBreaks(_ bytes: [UInt8]) -> Bool {
        for index in bytes.indices where bytes[index] == 0x0D || bytes[index] >= 0xC2 {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            switch bytes[index] {
            case 0x0D where next != 0x0A: return true
            case 0xC2 where next == 0x85: return true
            case 0xE2 where next == 0x80 && index + 2 < bytes.count && 0xA8...0xA9 ~= bytes[index + 2]: return true
            default: break
            }
        }
        return false
    }

    /// The number of lines.
    var count: Int { starts.count - 1 }

    /// Returns the range of a line with its line end; lines begin at 0.
    func range(ofLine line: Int) -> Range<Int> {
        starts[line]..<starts[line + 1]
    }

    /// Returns the range of lines with their line ends.
    func range(ofLines lines: ClosedRange<Int>) -> Range<Int> {
        starts[lines.lowerBound]..<starts[lines.upperBound + 1]
    }

    /// Returns the line that contains an offset.
    func line(at offset: Int) -> Int {
        starts.dropLast().firstPosition { $0 > offset } - 1
    }

    /// Returns the offset of a position, or `nil` if the text does not have it.
    mutating func offset(of position: TextPosition) -> Int? {
        let line = position.line - 1
        guard 0..<count ~= line, position.column >= 1 else { return nil }
        if last.line != line || last.column > position.column {
            last = (line, 1, starts[line])
        }
        while last.column < position.column {
            guard last.offset < starts[line + 1] else { return nil }
            last.offset += 1
            while last.offset < starts[line + 1], bytes[last.offset] & 0xC0 == 0x80 { last.offset += 1 }
            last.column += 1
        }
        return last.offset < bytes.count ? last.offset : nil
    }

    /// Returns the offset of the first byte of a line that is not a space or a tab.
    func firstVisible(ofLine line: Int) -> Int {
        var offset = starts[line]
        while Self.isBlank(bytes[offset]) { offset += 1 }
        return offset
    }

    /// Returns the end of the text of a line, without spaces and the line end.
    func textEnd(ofLine line: Int) -> Int {
        var end = starts[line + 1]
        while end > starts[line], Self.isBlank(bytes[end - 1]) || Self.isLineEnd(bytes[end - 1]) { end -= 1 }
        return end
    }

    /// Returns the spaces and tabs with which the line of an offset begins, or `nil` if more than them precedes it.
    func indentation(before offset: Int) -> String? {
        let start = starts[line(at: offset)]
        guard bytes[start..<offset].allSatisfy(Self.isBlank) else { return nil }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

extension SourceLines {
    /// Returns the end of a value that begins at an offset, or `nil` for a block and for a value that is not closed.
    ///
    /// - Parameter isFlow: Whether the value is within brackets or braces.
    func valueEnd(from start: Int, isFlow: Bool) -> Int? {
        guard let start = skippingProperties(from: start), start < bytes.count else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return collectionEnd(from: start)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return quotedEnd(from: start)
        case UInt8(ascii: "|"), UInt8(ascii: ">"): return isFlow ? plainEnd(from: start, isFlow: true) : nil
        case UInt8(ascii: "#"): return nil
        default:
            let end = plainEnd(from: start, isFlow: isFlow)
            return end > start ? end : nil
        }
    }

    /// Returns the offset after the anchor and the tag of a value, or `nil` if the line ends there.
    private func skippingProperties(from start: Int) -> Int? {
        var offset = start
        while offset < bytes.count, bytes[offset] == UInt8(ascii: "&") || bytes[offset] == UInt8(ascii: "!") {
            while offset < bytes.count, !Self.isBlank(bytes[offset]), !Self.isLineEnd(bytes[offset]) { offset += 1 }
            while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
            guard offset < bytes.count, !Self.isLineEnd(bytes[offset]) else { return nil }
        }
        return offset
    }

    private func quotedEnd(from start: Int) -> Int? {
        let quote = bytes[start]
        var offset = start + 1
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                offset += 2
            } else if bytes[offset] == quote {
                guard quote == UInt8(ascii: "'"), offset + 1 < bytes.count, bytes[offset + 1] == quote else {
                    return offset + 1
                }
                offset += 2
            } else {
                offset += 1
            }
        }
        return nil
    }

    private func plainEnd(from start: Int, isFlow: Bool) -> Int {
        var offset = start
        var end = start
        while offset < bytes.count {
            let byte = bytes[offset]
            if Self.isLineEnd(byte), !isFlow { break }
            if Self.isFlowIndicator(byte), isFlow { break }
            if byte == UInt8(ascii: ":"), isColon(at: offset, isFlow: isFlow) { break }
            if byte == UInt8(ascii: "#"), offset > start, isSpace(bytes[offset - 1]) { break }
            offset += 1
            if !isSpace(byte) { end = offset }
        }
        return end
    }

    /// Returns the end of a list or map in brackets or braces.
    private func collectionEnd(from start: Int) -> Int? {
        var depth = 0
        var offset = start
        // Quotes are significant only where a value can begin; elsewhere they are apostrophes of a plain text.
        var isStart = true
        var isAfterQuotes = false
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return offset + 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard isStart else { break }
                guard let end = quotedEnd(from: offset) else { return nil }
                offset = end
                (isStart, isAfterQuotes) = (false, true)
                continue
            case UInt8(ascii: "#"):
                guard isSpace(bytes[offset - 1]) else { break }
                while offset < bytes.count, !Self.isLineEnd(bytes[offset]) { offset += 1 }
                continue
            case UInt8(ascii: "&"), UInt8(ascii: "!"):
                guard isStart else { break }
                while offset < bytes.count, !isSpace(bytes[offset]), !Self.isFlowIndicator(bytes[offset]) {
                    offset += 1
                }
                continue
            default: break
            }
            if Self.isFlowIndicator(byte) {
                (isStart, isAfterQuotes) = (true, false)
            } else if byte == UInt8(ascii: ":"), isAfterQuotes || isColon(at: offset, isFlow: true) {
                (isStart, isAfterQuotes) = (true, false)
            } else if !isSpace(byte) {
                (isStart, isAfterQuotes) = (false, false)
            }
            offset += 1
        }
        return nil
    }

    /// Returns whether a colon ends a key.
    private func isColon(at offset: Int, isFlow: Bool) -> Bool {
        guard offset + 1 < bytes.count else { return true }
        return isSpace(bytes[offset + 1]) || isFlow && Self.isFlowIndicator(bytes[offset + 1])
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        Self.isBlank(byte) || Self.isLineEnd(byte)
    }

    private static func isFlowIndicator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","): true
        default: false
        }
    }
}
