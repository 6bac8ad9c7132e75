internal import AccessoryModel

extension ObjectName {
    /// Checks a text against the rules for names.
    ///
    /// - Throws: The first broken rule, in the order of ``HomeError/Code``.
    static func check(_ text: String) throws(HomeError) {
        // Comes before all checks that traverse the text, because it may have a megabyte.
        guard text.utf8.count <= maximumByteCount else { throw tooLongError(text) }
        guard text.unicodeScalars.contains(where: { $0 != " " }) else {
            throw HomeError(.emptyName, at: "", "A name has at least one letter or digit.")
        }
        guard text.count <= maximumCount else { throw tooLongError(text) }
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            guard scalar.isAllowed(after: last) else { throw misplacedError(scalar, in: text) }
            last = scalar
        }
        guard let first = text.first, let end = text.last, first.canBeAtNameEnd, end.canBeAtNameEnd else {
            throw HomeError(.nameEnds, at: quoted(text), "A name begins and ends with a letter or a digit.")
        }
    }

    private static func tooLongError(_ text: String) -> HomeError {
        let reason = "A name has at most \(maximumCount) characters and \(maximumByteCount) bytes."
        return HomeError(.nameTooLong, at: quoted(text), reason)
    }

    private static func misplacedError(_ scalar: Unicode.Scalar, in text: String) -> HomeError {
        let reason = "A name has letters, digits, spaces and apostrophes only, not \(description(of: scalar))."
        return HomeError(.nameCharacters, at: quoted(text), reason)
    }

    /// Returns the beginning of an arbitrary text in quotation marks, for a message.
    static func quoted(_ text: String) -> String {
        let beginning = String(decoding: text.utf8.prefix(maximumByteCount), as: UTF8.self)
        let short = beginning.prefix(40)
        return "\"\(String(short).escapingControlCharacters)\(short.utf8.count < text.utf8.count ? "…" : "")\""
    }

    private static func description(of scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .control, .format, .unassigned, .privateUse, .surrogate,
            .lineSeparator, .paragraphSeparator, .spaceSeparator:
            "U+\(String(scalar.value, radix: 16, uppercase: true))"
        default: "\(scalar)"
        }
    }
}

extension Character {
    /// Whether a name may begin or end with the character.
    package var canBeAtNameEnd: Bool {
        unicodeScalars.first?.isLetterOrDigit ?? false
    }
}

extension Unicode.Scalar {
    /// Returns whether a name may contain the scalar after another one.
    func isAllowed(after last: Unicode.Scalar?) -> Bool {
        if self == " " || self == "'" || self == "\u{2019}" { return true }
        return isLetterOrDigit || isNameMark && last.map { $0.isLetterOrDigit || $0.isNameMark } ?? false
    }

    /// Whether the scalar is a visible letter or decimal digit of any script, and not an emoji.
    var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
            isASCII || !properties.isEmoji && !properties.isDefaultIgnorableCodePoint
        default: false
        }
    }

    /// Whether the scalar is a mark that belongs to the preceding letter, and not a variation selector.
    private var isNameMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark: !properties.isDefaultIgnorableCodePoint
        default: false
        }
    }
}
