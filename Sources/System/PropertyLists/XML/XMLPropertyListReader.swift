internal import Documents
internal import HAPCore

/// Reads a property list in XML: the elements of Apple's document type and no other XML.
///
/// The document type is skipped and never loaded. A document type with declarations is refused, and so are all entities
/// except the five of XML itself. A dictionary with the single key `CF$UID` represents the number of an object in a
/// keyed archive.
///
/// [Property List DTD](http://www.apple.com/DTDs/PropertyList-1.0.dtd)
struct XMLPropertyListReader {
    private var scanner: XMLScanner
    private let limits: PropertyListLimits
    private var remainingValues: Int

    init(_ bytes: [UInt8], name: String, limits: PropertyListLimits) {
        scanner = XMLScanner(bytes, name: name)
        self.limits = limits
        remainingValues = limits.maximumValues
    }

    mutating func read() throws(DocumentError) -> PropertyList {
        try scanner.skipProlog()
        let isWrapped = try skipRoot()
        let value = try element(depth: 0)
        if isWrapped {
            try scanner.skipMisc()
            try scanner.readClosingTag("plist")
        }
        try scanner.skipMisc()
        guard scanner.isAtEnd else {
            throw scanner.syntaxError("there is text after the end of the property list; remove it")
        }
        return value
    }

    /// Skips `<plist>`, which may be missing.
    private mutating func skipRoot() throws(DocumentError) -> Bool {
        let start = scanner.position
        let tag = try scanner.readOpeningTag()
        guard tag.name == "plist" else {
            scanner.position = start
            return false
        }
        guard !tag.isEmpty else {
            throw scanner.syntaxError("the property list is empty; export the file again", at: start)
        }
        try scanner.skipMisc()
        return true
    }

    /// Reads an element, from its opening to its closing tag.
    private mutating func element(depth: Int) throws(DocumentError) -> PropertyList {
        let start = scanner.position
        let tag = try scanner.readOpeningTag()
        try countValue(at: start)
        switch tag.name {
        case "dict": return try dictionary(tag, depth: depth + 1, at: start)
        case "array": return try array(tag, depth: depth + 1, at: start)
        case "true", "false":
            let content = try content(of: tag)
            guard content.isEmpty else {
                throw scanner.syntaxError("<\(tag.name)/> must be empty; remove its content", at: start)
            }
            return .bool(tag.name == "true")
        case "string": return .text(try content(of: tag))
        case "integer": return try integer(of: tag, at: start)
        case "real": return try real(of: tag, at: start)
        case "data": return try data(of: tag, at: start)
        case "date": return try date(of: tag, at: start)
        default:
            throw scanner.syntaxError(
                "<\(tag.name)> is not an element of a property list; remove it, or export the file again",
                at: start
            )
        }
    }

    private mutating func dictionary(
        _ tag: XMLScanner.Tag,
        depth: Int,
        at start: Int
    ) throws(DocumentError) -> PropertyList {
        try check(depth: depth, at: start)
        var dictionary = PropertyListDictionary()
        if tag.isEmpty { return .dictionary(dictionary) }
        while try !scanner.readClosingTagIfPresent("dict") {
            let keyStart = scanner.position
            let keyTag = try scanner.readOpeningTag()
            guard keyTag.name == "key" else {
                throw scanner.syntaxError(
                    "<key> or </dict> is expected here; write one of them",
                    at: keyStart
                )
            }
            try countValue(at: keyStart)
            let key = try content(of: keyTag)
            guard try !scanner.readClosingTagIfPresent("dict") else {
                throw scanner.syntaxError("the key \(key.excerpt) has no value; write one after it", at: keyStart)
            }
            let value = try element(depth: depth)
            guard dictionary.append(value, forKey: key) else {
                throw scanner.syntaxError(
                    "the dictionary has the key \(key.excerpt) twice; remove one of them",
                    at: keyStart
                )
            }
        }
        if let number = dictionary.uid {
            guard let uid = UInt32(exactly: number) else {
                throw scanner.syntaxError(
                    "the number of an object has more than 32 bits; export the file again",
                    at: start
                )
            }
            return .uid(uid)
        }
        return .dictionary(dictionary)
    }

    private mutating func array(
        _ tag: XMLScanner.Tag,
        depth: Int,
        at start: Int
    ) throws(DocumentError) -> PropertyList {
        try check(depth: depth, at: start)
        var elements: [PropertyList] = []
        if tag.isEmpty { return .array(elements) }
        while try !scanner.readClosingTagIfPresent("array") {
            elements.append(try element(depth: depth))
        }
        return .array(elements)
    }

    private mutating func integer(of tag: XMLScanner.Tag, at start: Int) throws(DocumentError) -> PropertyList {
        let text = try content(of: tag).trimmingBlanks
        guard let value = Int128(text), let integer = PropertyList(integer: value) else {
            throw scanner.syntaxError("\(text.excerpt) is not a 64-bit integer; write one such as 5", at: start)
        }
        return integer
    }

    private mutating func real(of tag: XMLScanner.Tag, at start: Int) throws(DocumentError) -> PropertyList {
        let text = try content(of: tag).trimmingBlanks
        // `Double` would also accept hexadecimal numbers, and a million digits would take long.
        let isPlain = text.utf8.count <= 1024 && text.utf8.allSatisfy("+-.0123456789Ee".utf8.contains)
        guard isPlain, let value = Double(text), value.isFinite else {
            throw scanner.syntaxError("\(text.excerpt) is not a number; write one such as 1.5", at: start)
        }
        return .real(value)
    }

    private mutating func data(of tag: XMLScanner.Tag, at start: Int) throws(DocumentError) -> PropertyList {
        let text = try content(of: tag)
        let digits = text.utf8.filter { !XMLScanner.isBlank($0) }
        guard let bytes = Base64.decode(String(decoding: digits, as: UTF8.self)) else {
            throw scanner.syntaxError("the data is not Base64; write it as Base64, or export the file again", at: start)
        }
        return .data(bytes)
    }

    private mutating func date(of tag: XMLScanner.Tag, at start: Int) throws(DocumentError) -> PropertyList {
        let text = try content(of: tag).trimmingBlanks
        guard let seconds = PropertyListDate.seconds(text) else {
            throw scanner.syntaxError(
                "\(text.excerpt) is not a date; write one such as 2001-01-01T00:00:00Z",
                at: start
            )
        }
        return .date(seconds)
    }

    /// Returns the text up to the closing tag.
    private mutating func content(of tag: XMLScanner.Tag) throws(DocumentError) -> String {
        if tag.isEmpty { return "" }
        let text = try scanner.readText()
        try scanner.readClosingTag(tag.name)
        return text
    }

    private func check(depth: Int, at start: Int) throws(DocumentError) {
        guard depth <= limits.maximumDepth else {
            throw scanner.syntaxError(
                "lists and dictionaries are nested more than \(limits.maximumDepth) deep; export the file again",
                at: start
            )
        }
    }

    private mutating func countValue(at start: Int) throws(DocumentError) {
        guard remainingValues > 0 else {
            throw scanner.syntaxError(
                "there are more than \(limits.maximumValues) values; export fewer accessories at once",
                at: start
            )
        }
        remainingValues -= 1
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        let content = utf8.drop(while: XMLScanner.isBlank)
        let blanks = content.reversed().prefix(while: XMLScanner.isBlank).count
        return String(content.dropLast(blanks)) ?? self
    }
}
