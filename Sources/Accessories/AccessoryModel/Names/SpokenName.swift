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

    /// Returns the singulars of a plural, or else the plural of a singular; none if the text does not end in a word.
    package static func otherNumbers(of text: String) -> [String] {
        let singulars = singulars(of: text)
        if !singulars.isEmpty { return singulars }
        return endsInWord(text, minimumCount: minimumWordCount) ? [plural(of: text)] : []
    }

    /// Returns the plural of a noun: `lights`, `switches`, `batteries`.
    package static func plural(of noun: String) -> String {
        let lowercased = noun.lowercased()
        if ["s", "sh", "ch", "x", "z"].contains(where: lowercased.hasSuffix) { return noun + "es" }
        guard let last = lowercased.last, last == "y", let before = lowercased.dropLast().last,
            before.isLetter, !"aeiou".contains(before)
        else { return noun + "s" }
        return noun.dropLast() + "ies"
    }

    /// Returns the nouns of which a text can be the plural; none if it is not a plural.
    package static func singulars(of text: String) -> [String] {
        let lowercased = text.lowercased()
        var singulars = ["s", "es"].filter(lowercased.hasSuffix).map { String(text.dropLast($0.count)) }
        if lowercased.hasSuffix("ies") { singulars.append(text.dropLast(3) + "y") }
        return singulars.filter { endsInWord($0, minimumCount: minimumWordCount) }
    }

    /// Returns whether a name that was found as the plural of another one is written as a plural.
    ///
    /// Spaces in names do not matter, but `Lamp S` is not the plural of `Lamp`.
    package static func isWrittenAsPlural(_ name: String) -> Bool {
        endsInWord(name, minimumCount: minimumWordCount + 1)
    }

    /// The minimum number of letters of a word that has a plural.
    private static let minimumWordCount = 3

    private static func endsInWord(_ text: String, minimumCount: Int) -> Bool {
        let word = text.reversed().prefix { !$0.isWhitespace && !"-_./".contains($0) }.filter { !$0.isApostrophe }
        return word.count >= minimumCount && word.prefix(minimumCount).allSatisfy(\.isLetter)
    }
}
