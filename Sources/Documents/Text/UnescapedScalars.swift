/// The characters of a text in YAML or JSON, escapes taken for what they stand for, wherever they stand.
///
/// Escapes are those of texts in double quotes, and those of YAML's tags, as `%CC%81`. Elsewhere they mean themselves: that
/// is not told apart, since there nobody writes many of them in a row.
package struct UnescapedScalars: Sequence, IteratorProtocol {
    private let text: Substring.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    package init(_ text: String) {
        self.text = text[...].unicodeScalars
        rest = self.text
    }

    /// How many bytes of the text have been taken.
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

    /// Passes what an escaped end of a line in YAML leaves nothing of: the end, and the indentation of the next line.
    private mutating func skipLineBreak() {
        if rest.popFirst() == "\r", rest.first == "\n" {
            rest.removeFirst()
        }
        rest = rest.drop { $0 == " " || $0 == "\t" }
    }

    /// The character of the number behind a letter.
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

    /// The character whose bytes stand behind a `%` each.
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
