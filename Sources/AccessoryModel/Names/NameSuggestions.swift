package import HAPCore

/// Suggests names in the errors of one run, within one budget of work.
///
/// A class, so that all lookups of one run share the budget.
package final class NameSuggestions {
    /// The maximum number of objects that an error lists.
    package static let maximumListed = 10

    /// The maximum number of names that are compared with a wrong one, and their maximum length.
    private static let (maximumCompared, maximumComparedBytes) = (10_000, 256)

    private let index: NameIndex
    private var spelling: SpellingSuggester
    /// All names of some levels, as people would write them.
    private var texts: [Set<NameLevel>: [String]] = [:]
    /// All names of some levels, also with their leading parts omitted.
    private var shortened: [Set<NameLevel>: [String]] = [:]

    /// Creates suggestions for a run on these names.
    package init(of index: NameIndex, spelling: SpellingSuggester = SpellingSuggester()) {
        self.index = index
        self.spelling = spelling
    }

    /// Everything of some levels, as people would write it.
    package func texts(of levels: Set<NameLevel>) -> [String] {
        if let known = texts[levels] { return known }
        let known = index.texts(of: levels)
        texts[levels] = known
        return known
    }

    /// Returns the remedy for a wrong name: a similar name, or a list of the known ones.
    ///
    /// - Parameters:
    ///   - known: The known names; `nil` for the texts of the levels.
    ///   - emptyMessage: The remedy if there are none.
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

    /// All names of some levels, also with their leading parts omitted: `Light/On` for `Garage/Light/On`.
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
    /// The part of a text before its last `/`, if that part refers to nothing but the last part to a characteristic.
    ///
    /// In `Light/On`, this is `Light` if there is no service with that name.
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
