extension Character {
    /// Whether the character is one of the two common apostrophes, which comparisons of names ignore.
    package var isApostrophe: Bool {
        self == "'" || self == "\u{2019}"
    }
}

/// The forms of names that people type or say: with and without an article, in the singular and in the plural.
///
/// Commands, the prompt, the API and phrases look up names with these forms, so that all of them accept the same. Each of
/// them ignores case, spaces and apostrophes by the keys of its own names.
package enum SpokenName {
    /// The words before a name that do not belong to it.
    private static let articles: Set<String> = ["the"]

    /// Returns the forms under which a name is looked up, the most exact one first.
    ///
    /// `the Reading Lamps` is also looked up as `Reading Lamps`, `the Reading Lamp` and `Reading Lamp`.
    package static func forms(of text: String) -> [String] {
        let named = withoutArticle(text)
        let exact = named == text ? [text] : [text, named]
        return exact + exact.flatMap(otherNumbers)
    }

    /// Returns a name without the article before it.
    package static func withoutArticle(_ text: String) -> String {
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard words.count == 2, articles.contains(words[0].lowercased()) else { return text }
        return String(words[1])
    }

    /// Returns the singulars of a plural, or else the plural of a singular.
    package static func otherNumbers(of text: String) -> [String] {
        let singulars = singulars(of: text)
        return singulars.isEmpty ? [plural(of: text)] : singulars
    }

    /// Returns the plural of a noun: `lights`, `switches`.
    package static func plural(of noun: String) -> String {
        noun.hasSuffix("s") || noun.hasSuffix("h") ? noun + "es" : noun + "s"
    }

    /// Returns the nouns of which a text can be the plural; none if it is not a plural.
    package static func singulars(of text: String) -> [String] {
        ["s", "es"].filter { text.lowercased().hasSuffix($0) && text.count > $0.count }
            .map { String(text.dropLast($0.count)) }
    }
}
