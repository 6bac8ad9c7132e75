internal import Documents

/// Reads the tags and texts of XML one by one, without checking their order.
struct XMLScanner {
    /// An opening tag: `<name>` or `<name/>`.
    struct Tag: Hashable {
        var name: String
        /// Whether the tag is also the closing tag.
        var isEmpty: Bool
    }

    /// The offset of the next byte.
    var position = 0

    private let bytes: [UInt8]
    private let name: String

    init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        self.name = name
    }

    var isAtEnd: Bool {
        position == bytes.count
    }

    /// Returns whether a byte is a space, a tab or a line end.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Skips everything before the first element: byte order mark, declaration and document type.
    mutating func skipProlog() throws(DocumentError) {
        _ = consume([0xEF, 0xBB, 0xBF])
        skipBlanks()
        if starts(with: "<?xml") {
            try skipDeclaration()
        }
        try skipMisc()
        if starts(with: "<!DOCTYPE") {
            try skipDocumentType()
            try skipMisc()
        }
    }

    /// Skips whitespace and comments.
    mutating func skipMisc() throws(DocumentError) {
        skipBlanks()
        while starts(with: "<!--") {
            let start = position
            position += 4
            guard skipPast("-->") else { throw syntaxError("a comment does not end; write --> after it", at: start) }
            skipBlanks()
        }
    }

    /// Reads an opening tag; the version of `plist` is the only accepted attribute.
    mutating func readOpeningTag() throws(DocumentError) -> Tag {
        let start = position
        guard consume("<") else {
            throw syntaxError("an element is missing; write one such as <string>, or export the file again")
        }
        guard !starts(with: "!"), !starts(with: "?") else {
            throw syntaxError("declarations and instructions are not allowed; remove them", at: start)
        }
        let name = readName()
        guard !name.isEmpty else { throw syntaxError("a tag has no name; write &lt; for a <", at: start) }
        skipBlanks()
        if name == "plist", consume("version") {
            try skipAttribute()
            skipBlanks()
        }
        let isEmpty = consume("/")
        guard consume(">") else {
            throw syntaxError(
                "the tag <\(name)> must end after its name, because attributes are not allowed; write <\(name)>",
                at: start
            )
        }
        return Tag(name: name, isEmpty: isEmpty)
    }

    /// Reads the closing tag with this name.
    mutating func readClosingTag(_ name: String) throws(DocumentError) {
        let start = position
        guard consume("</"), readName() == name else {
            throw syntaxError("</\(name)> is missing; write it after the content", at: start)
        }
        skipBlanks()
        guard consume(">") else { throw syntaxError("the tag </\(name)> does not end; write > after it", at: start) }
    }

    /// Reads the closing tag if it is next, after whitespace and comments; returns whether it was.
    mutating func readClosingTagIfPresent(_ name: String) throws(DocumentError) -> Bool {
        try skipMisc()
        guard starts(with: "</") else { return false }
        try readClosingTag(name)
        return true
    }

    /// Reads text up to the next tag, and resolves references and `CDATA`.
    mutating func readText() throws(DocumentError) -> String {
        let start = position
        var content: [UInt8] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "&"):
                content.append(contentsOf: try readReference().utf8)
            case UInt8(ascii: "<"):
                if starts(with: "<!--") {
                    try skipComment()
                } else if consume("<![CDATA[") {
                    let first = position
                    guard skipPast("]]>") else {
                        throw syntaxError("a CDATA section does not end; write ]]> after it", at: first)
                    }
                    content.append(contentsOf: bytes[first..<(position - 3)])
                } else {
                    guard let text = String(validating: content, as: UTF8.self) else {
                        throw syntaxError("the text is not UTF-8; save the file as UTF-8", at: start)
                    }
                    return text
                }
            case let byte:
                content.append(byte)
                position += 1
            }
        }
        throw syntaxError("the file ends within a text; it is truncated, so copy it again", at: start)
    }

    /// Returns an error at a position, by default the current one.
    func syntaxError(_ reason: String, at position: Int? = nil) -> DocumentError {
        let position = TextPosition(ofByteAt: position ?? self.position, in: bytes)
        return DocumentError(in: name, at: position, reason)
    }
}

extension XMLScanner {
    private mutating func skipDeclaration() throws(DocumentError) {
        let start = position
        guard skipPast("?>"), position - start <= 256 else {
            throw syntaxError("the declaration <?xml does not end; write ?> after it", at: start)
        }
        let declaration = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        guard let encoding = declaration.firstRange(of: "encoding") else { return }
        let value = declaration[encoding.upperBound...].drop { " \t\r\n=".contains($0) }
        guard ["utf-8", "us-ascii"].contains(where: value.dropFirst().hasPrefix) else {
            throw syntaxError("the file is not UTF-8; convert it to UTF-8", at: start)
        }
    }

    /// Skips the document type, which is never loaded.
    private mutating func skipDocumentType() throws(DocumentError) {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ">"):
                position += 1
                return
            case UInt8(ascii: "["):
                throw syntaxError(
                    "a document type with declarations is not allowed; remove the declarations",
                    at: start
                )
            case let quote where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
                position += 1
                while position < bytes.count, bytes[position] != quote { position += 1 }
                position = min(position + 1, bytes.count)
            default:
                position += 1
            }
        }
        throw syntaxError("the document type does not end; write > after it", at: start)
    }

    private mutating func skipComment() throws(DocumentError) {
        let start = position
        position += 4
        guard skipPast("-->") else { throw syntaxError("a comment does not end; write --> after it", at: start) }
    }

    private mutating func skipAttribute() throws(DocumentError) {
        let start = position
        skipBlanks()
        let begins = consume("=")
        skipBlanks()
        let quote: StaticString = starts(with: "'") ? "'" : "\""
        guard begins, consume(quote), skipPast(quote) else {
            throw syntaxError("the attribute version has no value; write one in quotes", at: start)
        }
    }

    /// Reads a reference `&…;`.
    private mutating func readReference() throws(DocumentError) -> String {
        let start = position
        let end = bytes[start...].prefix(16).firstIndex(of: UInt8(ascii: ";"))
        guard let end else { throw syntaxError("an & does not begin a reference; write &amp;", at: start) }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#"), let scalar = Self.scalar(name.dropFirst()) else {
                throw syntaxError(
                    "\("&\(name);".excerpt) is not a known entity; write amp, lt, gt, quot or apos",
                    at: start
                )
            }
            return String(Character(scalar))
        }
    }

    /// Returns the character of a decimal number, or of a hexadecimal number after `x`.
    private static func scalar(_ number: Substring) -> Unicode.Scalar? {
        let isHexadecimal = number.hasPrefix("x")
        let digits = isHexadecimal ? number.dropFirst() : number
        guard digits.first?.isHexDigit == true, let value = UInt32(digits, radix: isHexadecimal ? 16 : 10) else {
            return nil
        }
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    private mutating func readName() -> String {
        let start = position
        while position < bytes.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[position] | 0x20 { position += 1 }
        return String(decoding: bytes[start..<position].prefix(32), as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func consume(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func consume(_ mark: [UInt8]) -> Bool {
        guard bytes[position...].starts(with: mark) else { return false }
        position += mark.count
        return true
    }

    /// Moves past the next occurrence of a text; moves to the end and returns `false` if there is none.
    private mutating func skipPast(_ text: StaticString) -> Bool {
        while position < bytes.count {
            if consume(text) { return true }
            position += 1
        }
        return false
    }
}
