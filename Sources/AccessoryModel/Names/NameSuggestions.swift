package import HAPCore

/// An object that suggests names in the errors of one run, within one budget of work.
///
/// It is a class so that all lookups of a run share the budget.
package final class NameSuggestions {
    /// The maximum number of objects that an error lists.
    package static let maximumListed = 10

    /// The maximum number of names that are compared with an unknown name, and their maximum length in bytes.
    private static let (maximumCompared, maximumComparedBytes) = (10_000, 256)

    private let index: NameIndex
    private var spelling: SpellingSuggester
    /// All names of some levels, as a user would write them.
    private var texts: [Set<NameLevel>: [String]] = [:]
    /// All names of some levels, with and without their leading parts.
    private var shortened: [Set<NameLevel>: [String]] = [:]

    /// Creates suggestions from the names in an index.
    package init(of index: NameIndex, spelling: SpellingSuggester = SpellingSuggester()) {
        self.index = index
        self.spelling = spelling
    }

    /// Returns the names of all objects of some levels, as a user would write them.
    package func texts(of levels: Set<NameLevel>) -> [String] {
        if let known = texts[levels] { return known }
        let known = index.texts(of: levels)
        texts[levels] = known
        return known
    }

    /// Returns advice for an unknown name: similar names, or a list of the known names.
    ///
    /// - Parameters:
    ///   - known: The known names, or `nil` for the texts of the levels.
    ///   - emptyMessage: The text to return if there are no known names.
    package func remedy(
        for text: String,
        as levels: Set<NameLevel>,
        known: [String]? = nil,
        maximumListed: Int = NameSuggestions.maximumListed,
        emptyMessage: String
    ) -> String {
        let near =
            spelling.budget > 0 ? spelling.suggestions(for: text, among: shortenedTexts(of: levels), count: 3) : []
        if !near.isEmpty { return "Did you mean \(near.map { "\"\($0)\"" }.joinedWithOr)?".escapingControlCharacters }
        let known = known ?? texts(of: levels)
        let list = known.prefix(maximumListed).joined(separator: ", ") + (known.count > maximumListed ? " …" : "")
        return known.isEmpty ? emptyMessage : "There are: \(list).".escapingControlCharacters
    }

    /// Returns all names of some levels, with and without their leading parts: `Garage/Light/On` and `Light/On`.
    private func shortenedTexts(of levels: Set<NameLevel>) -> [String] {
        if let known = shortened[levels] { return known }
        var seen: Set<String> = []
        for text in texts(of: levels).prefix(Self.maximumCompared) where text.utf8.count <= Self.maximumComparedBytes {
            var rest = text[...]
            seen.insert(text)
            while let slash = rest.firstIndex(of: "/") {
                rest = rest[rest.index(after: slash)...]
                seen.insert(String(rest))
            }
        }
        let known = seen.sorted()
        shortened[levels] = known
        return known
    }
}

extension NameIndex {
    /// Returns the part of a text before its last `/`, if that part is unknown but the last part is a characteristic.
    ///
    /// For `Light/On`, this is `Light` if there is no service with that name.
    package func unknownOwner(of text: String) -> String? {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        let (owner, name) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
        guard !owner.isEmpty, match(owner, as: [.server, .accessory, .service]) == .notFound else { return nil }
        return switch match(name, as: [.characteristic]) {
        case .unique, .ambiguous: owner
        case .wrongLevel, .notFound: nil
        }
    }
}
