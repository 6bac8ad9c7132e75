/// The characters of a YAML or JSON text, with escapes decoded everywhere.
///
/// It decodes the escapes of texts in double quotes, and those of YAML tags, such as `%CC%81`. Elsewhere in a document,
/// the same characters are literal. Decoding them there, too, does no harm, because many of them in a row do not occur.
package struct UnescapedScalars: Sequence, IteratorProtocol {
    private let text: Substring.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    package init(_ text: String) {
        self.text = text[...].unicodeScalars
        rest = self.text
    }

    /// The number of bytes that have been read.
    package var offset: Int {
        Substring(text).utf8.distance(from: text.startIndex, to: rest.startIndex)
    }

    package mutating func next() -> Unicode.Scalar? {
        while let scalar = rest.popFirst() {
            if scalar == "%" { return consumeUTF8() ?? scalar }
            guard scalar == "\\" else { return scalar }
            switch rest.first {
            case "\\":
                rest.removeFirst()
                return scalar
            case "x": return consumeCode(digits: 2) ?? scalar
            case "u": return consumeCode(digits: 4) ?? scalar
            case "U": return consumeCode(digits: 8) ?? scalar
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": skipLineBreak()
            default: return scalar
            }
        }
        return nil
    }

    /// Skips an escaped line break in YAML, with the indentation of the next line.
    private mutating func skipLineBreak() {
        if rest.popFirst() == "\r", rest.first == "\n" {
            rest.removeFirst()
        }
        rest = rest.drop { $0 == " " || $0 == "\t" }
    }

    /// Returns the character whose hexadecimal number follows a letter.
    private mutating func consumeCode(digits count: Int) -> Unicode.Scalar? {
        let digits = rest.dropFirst().prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
            let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
        else {
            return nil
        }
        rest = rest.dropFirst(count + 1)
        return scalar
    }

    /// Returns the character whose UTF-8 bytes are written with a `%` before each one.
    private mutating func consumeUTF8() -> Unicode.Scalar? {
        var bytes: [UInt8] = []
        var ahead = rest
        while bytes.count < 4 {
            guard bytes.isEmpty || ahead.popFirst() == "%", ahead.prefix(2).count == 2,
                let byte = UInt8(String(ahead.prefix(2)), radix: 16)
            else {
                return nil
            }
            bytes.append(byte)
            ahead = ahead.dropFirst(2)
            if let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first {
                rest = ahead
                return scalar
            }
        }
        return nil
    }
}
