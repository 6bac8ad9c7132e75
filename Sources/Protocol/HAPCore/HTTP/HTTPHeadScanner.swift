/// Finds the end of a head and refuses bytes that a head may not contain; scans each byte once.
///
/// HAP: §10
struct HTTPHeadScanner: Sendable {
    /// The offset of the next byte to scan.
    private var position = 0
    private var lineStart = 0

    /// Returns the length of the head, including its empty line; `nil` if more bytes are needed.
    mutating func findEnd(
        in message: Span<UInt8>,
        limit: Int,
        location: StaticString
    ) throws(ProtocolError) -> Int? {
        let bound = min(message.count, limit)
        // A local variable stays in a register, which matters because this loop reads every byte of every head.
        var position = position
        defer { self.position = position }
        while position < bound {
            if position + 8 <= bound, !Self.hasControlCharacter(in: message, at: position) {
                position += 8
                continue
            }
            let byte = message[position]
            if byte >= 0x20, byte != 0x7F {
                position += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\t"):
                position += 1
            case UInt8(ascii: "\r"):
                guard position + 1 < bound else {
                    return try Self.checkLimit(message.count, limit, location)
                }
                guard message[position + 1] == UInt8(ascii: "\n") else {
                    throw ProtocolError(.http, "a line ends with CR alone", at: "\(location)")
                }
                let isEmptyLine = position == lineStart
                position += 2
                lineStart = position
                if isEmptyLine {
                    return position
                }
            case UInt8(ascii: "\n"):
                throw ProtocolError(.http, "a line ends with LF alone", at: "\(location)")
            default:
                throw ProtocolError(.http, "a control character in the head", at: "\(location)")
            }
        }
        return try Self.checkLimit(message.count, limit, location)
    }

    /// Returns whether one of the eight bytes from `position` on is below 0x20 or is 0x7F.
    ///
    /// All eight are tested at once, because a head has hundreds of bytes and control characters are rare.
    private static func hasControlCharacter(in message: Span<UInt8>, at position: Int) -> Bool {
        let each: UInt64 = 0x0101_0101_0101_0101
        let bytes = message.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
        let isBelowBlank = (bytes &- each &* 0x20) & ~bytes
        let delete = bytes ^ (each &* 0x7F)
        let isDelete = (delete &- each) & ~delete
        return (isBelowBlank | isDelete) & (each &* 0x80) != 0
    }

    private static func checkLimit(
        _ count: Int,
        _ limit: Int,
        _ location: StaticString
    ) throws(ProtocolError) -> Int? {
        guard count < limit else {
            throw ProtocolError(.tooLarge, "the head is larger than the limit", at: "\(location)")
        }
        return nil
    }
}

/// Iterates over the lines of a complete head, which an ``HTTPHeadScanner`` has found.
struct HTTPFieldCursor {
    /// A header: the ranges of its name and of its value without surrounding blanks.
    struct Field {
        let name: Range<Int>
        let value: Range<Int>
    }

    private var position = 0

    /// Returns the range of the next line without its end; empty at the end of the head.
    mutating func nextLine(in head: Span<UInt8>) -> Range<Int> {
        let start = position
        while position < head.count, head[position] != UInt8(ascii: "\r") {
            position += 1
        }
        let end = position
        position = min(position + 2, head.count)
        return start..<end
    }

    /// Returns the next header, `nil` after the last.
    ///
    /// - Throws: If a line has no name, has a blank in or after its name, or continues the previous line.
    mutating func nextField(in head: Span<UInt8>, location: StaticString) throws(ProtocolError) -> Field? {
        let line = nextLine(in: head)
        guard !line.isEmpty else { return nil }
        var nameEnd = line.lowerBound
        while nameEnd < line.upperBound, head[nameEnd].isTokenCharacter {
            nameEnd += 1
        }
        guard nameEnd > line.lowerBound, nameEnd < line.upperBound, head[nameEnd] == UInt8(ascii: ":") else {
            throw ProtocolError(.http, "a line is no header", at: "\(location)")
        }
        var start = nameEnd + 1
        var end = line.upperBound
        while start < end, head[start].isBlank {
            start += 1
        }
        while end > start, head[end - 1].isBlank {
            end -= 1
        }
        return Field(name: line.lowerBound..<nameEnd, value: start..<end)
    }
}

extension UInt8 {
    /// Whether the names of methods and headers may contain this byte.
    ///
    /// [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2)
    var isTokenCharacter: Bool {
        switch self {
        case 0..<64: 0x03FF_6CFA_0000_0000 as UInt64 >> UInt64(self) & 1 == 1
        case 64..<128: 0x57FF_FFFF_C7FF_FFFE as UInt64 >> UInt64(self - 64) & 1 == 1
        default: false
        }
    }

    fileprivate var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
    }
}

/// Reads the value of a Content-Length header.
enum HTTPContentLength {
    /// Returns the length; `Int.max` if it does not fit into an integer, which exceeds every limit.
    static func parse(_ value: Span<UInt8>, location: StaticString) throws(ProtocolError) -> Int {
        guard !value.isEmpty else { throw ProtocolError(.http, "an empty Content-Length", at: "\(location)") }
        var length = 0
        for position in 0..<value.count {
            guard let digit = value[position].decimalDigit else {
                throw ProtocolError(.http, "a Content-Length that is no decimal number", at: "\(location)")
            }
            let (shifted, multiplicationOverflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, additionOverflow) = shifted.addingReportingOverflow(Int(digit))
            length = multiplicationOverflow || additionOverflow ? .max : sum
        }
        return length
    }
}
