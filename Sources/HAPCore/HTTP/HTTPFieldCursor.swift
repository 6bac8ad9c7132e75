
/// Walks over the lines of a head that an ``HTTPHeadScanner`` found whole.
struct HTTPFieldCursor {
    /// A header: where its name and its value lie, blanks around the value left out.
    struct Field {
        let name: Range<Int>
        let value: Range<Int>
    }

    private var position = 0

    /// Where the next line lies, without its end; empty at the end of the head.
    mutating func line(in head: Span<UInt8>) -> Range<Int> {
        let start = position
        while position < head.count, head[position] != UInt8(ascii: "\r") {
            position += 1
        }
        let end = position
        position = min(position + 2, head.count)
        return start..<end
    }

    /// The next header, `nil` after the last.
    ///
    /// - Throws: when a line has no name, a blank in or behind its name, or continues the one before.
    mutating func field(in head: Span<UInt8>, location: StaticString) throws(ProtocolError) -> Field? {
        let line = line(in: head)
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
    /// Whether names of methods and headers may hold this byte.
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
