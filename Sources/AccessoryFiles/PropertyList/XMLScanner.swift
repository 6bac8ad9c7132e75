internal import Documents

/// Takes the marks and texts of XML one after the other, without any knowledge of which belong where.
struct XMLScanner {
    /// `<name>`, or `<name/>`.
    struct Tag: Hashable {
        var name: String
        /// Whether it is its own closing tag.
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

    /// Space, tabulator and the ends of lines.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Passes everything before the first element: byte order mark, declaration, document type.
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

    /// Passes blanks and comments.
    mutating func skipMisc() throws(DocumentError) {
        skipBlanks()
        while starts(with: "<!--") {
            let start = position
            position += 4
            guard skipPast("-->") else { throw syntaxError("a comment has no end; write --> behind it", at: start) }
            skipBlanks()
        }
    }

    /// Takes an opening tag; the only attribute that is let pass is the version of `plist`.
    mutating func readOpeningTag() throws(DocumentError) -> Tag {
        let start = position
        guard consume("<") else {
            throw syntaxError("an element is missing; write one such as <string>, or export the file anew")
        }
        guard !starts(with: "!"), !starts(with: "?") else {
            throw syntaxError("declarations and instructions are not read; remove them", at: start)
        }
        let name = readName()
        guard !name.isEmpty else { throw syntaxError("a tag without a name; write &lt; for a <", at: start) }
        skipBlanks()
        if name == "plist", consume("version") {
            try skipAttribute()
            skipBlanks()
        }
        let isEmpty = consume("/")
        guard consume(">") else {
            throw syntaxError("the tag <\(name)> does not end, and attributes are not read; write > here", at: start)
        }
        return Tag(name: name, isEmpty: isEmpty)
    }

    /// Takes a closing tag of this name.
    mutating func readClosingTag(_ name: String) throws(DocumentError) {
        let start = position
        guard consume("</"), readName() == name else {
            throw syntaxError("</\(name)> is missing; write it behind its content", at: start)
        }
        skipBlanks()
        guard consume(">") else { throw syntaxError("the tag </\(name)> does not end; write > behind it", at: start) }
    }

    /// Whether a container ends here, behind blanks and comments; takes its closing tag then.
    mutating func readClosingTagIfPresent(_ name: String) throws(DocumentError) -> Bool {
        try skipMisc()
        guard starts(with: "</") else { return false }
        try readClosingTag(name)
        return true
    }

    /// Takes text up to the next tag, with references and `CDATA` resolved.
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
                        throw syntaxError("a CDATA section has no end; write ]]> behind it", at: first)
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
        throw syntaxError("the file ends within a text; it is truncated, so copy it anew", at: start)
    }

    /// An error at the present position, or at another one.
    func syntaxError(_ reason: String, at position: Int? = nil) -> DocumentError {
        let position = TextPosition(ofByteAt: position ?? self.position, in: bytes)
        return DocumentError(in: name, at: position, reason)
    }
}

extension XMLScanner {
    private mutating func skipDeclaration() throws(DocumentError) {
        let start = position
        guard skipPast("?>"), position - start <= 256 else {
            throw syntaxError("the declaration <?xml does not end; write ?> behind it", at: start)
        }
        let declaration = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        guard let encoding = declaration.firstRange(of: "encoding") else { return }
        let value = declaration[encoding.upperBound...].drop { " \t\r\n=".contains($0) }
        guard ["utf-8", "us-ascii"].contains(where: value.dropFirst().hasPrefix) else {
            throw syntaxError("the file is not in UTF-8; convert it to that", at: start)
        }
    }

    /// Passes the line that every property list in XML begins with; what it names is not looked up.
    private mutating func skipDocumentType() throws(DocumentError) {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ">"):
                position += 1
                return
            case UInt8(ascii: "["):
                throw syntaxError("a document type that declares something is not read; remove it", at: start)
            case let quote where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
                position += 1
                while position < bytes.count, bytes[position] != quote { position += 1 }
                position = min(position + 1, bytes.count)
            default:
                position += 1
            }
        }
        throw syntaxError("the document type does not end; write > behind it", at: start)
    }

    private mutating func skipComment() throws(DocumentError) {
        let start = position
        position += 4
        guard skipPast("-->") else { throw syntaxError("a comment has no end; write --> behind it", at: start) }
    }

    private mutating func skipAttribute() throws(DocumentError) {
        let start = position
        skipBlanks()
        let begins = consume("=")
        skipBlanks()
        let quote: StaticString = starts(with: "'") ? "'" : "\""
        guard begins, consume(quote), skipPast(quote) else {
            throw syntaxError("the version has no value; write one in quotes", at: start)
        }
    }

    /// Takes `&…;`.
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
                    "\("&\(name);".excerpt) is not read; write one of amp, lt, gt, quot and apos",
                    at: start
                )
            }
            return String(Character(scalar))
        }
    }

    /// The character of this number, decimal or `x` and hexadecimal.
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

    /// Goes behind the next occurrence; answers `false`, at the end of the file, when there is none.
    private mutating func skipPast(_ text: StaticString) -> Bool {
        while position < bytes.count {
            if consume(text) { return true }
            position += 1
        }
        return false
    }
}
