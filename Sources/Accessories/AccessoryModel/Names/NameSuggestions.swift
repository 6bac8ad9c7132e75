package import HAPCore

/// An object that suggests names in the errors of one run, within one budget of work.
///
/// It is a class so that all lookups of a run share the budget.
package final class NameSuggestions {
    /// The maximum number of objects that an error lists.
    package static let maximumListed = 10

    /// The maximum number of names that are compared with an unknown name, and their maximum length in bytes.
    private static let (maximumCompared, maximumComparedBytes) = (10_000, 256)

    /// Names that are valid at a place, which are computed only once for it.
    package struct Candidates {
        fileprivate let key: String
        fileprivate let names: () -> [String]

        /// - Parameter key: The key of the place, such as the command whose target is named.
        package init(_ key: String, _ names: @escaping () -> [String]) {
            self.key = key
            self.names = names
        }
    }

    private let index: NameIndex
    private var spelling: SpellingSuggester
    /// The names at each place, as a user would write them.
    private var texts: [String: [String]] = [:]
    /// The same names, with and without their leading parts.
    private var shortened: [String: [String]] = [:]

    /// Creates suggestions from the names in an index.
    package init(of index: NameIndex, spelling: SpellingSuggester = SpellingSuggester()) {
        self.index = index
        self.spelling = spelling
    }

    /// Returns the names of all objects of some levels, as a user would write them.
    package func texts(of levels: Set<NameLevel>) -> [String] { texts(of: all(levels)) }

    private func all(_ levels: Set<NameLevel>) -> Candidates {
        Candidates("\(levels.map(\.rawValue).sorted())") { [index] in index.texts(of: levels) }
    }

    private func texts(of candidates: Candidates) -> [String] {
        if let known = texts[candidates.key] { return known }
        let known = candidates.names()
        texts[candidates.key] = known
        return known
    }

    /// Returns advice for an unknown name: similar names, or a list of the known names.
    ///
    /// - Parameters:
    ///   - known: The names that are valid here, or `nil` for all names of the levels.
    ///   - listed: The names to list if none is similar, or `nil` for all that are valid.
    ///   - emptyMessage: The text to return if there are no known names.
    package func remedy(
        for text: String,
        as levels: Set<NameLevel>,
        known: Candidates? = nil,
        listed: Candidates? = nil,
        maximumListed: Int = NameSuggestions.maximumListed,
        emptyMessage: String
    ) -> String {
        let valid = known ?? all(levels)
        let (near, siblings) = spelling.budget > 0 ? names(near: text, among: valid) : ([], [])
        if !near.isEmpty { return "Did you mean \(near.map { "\"\($0)\"" }.joinedWithOr)?".escapingControlCharacters }
        let known = siblings.isEmpty ? texts(of: known ?? listed ?? valid) : siblings
        let list = known.prefix(maximumListed).joined(separator: ", ") + (known.count > maximumListed ? " …" : "")
        return known.isEmpty ? emptyMessage : "There are: \(list).".escapingControlCharacters
    }

    /// Returns the names that are similar to a text, and, for a text such as `Garage Light/Fade` of whose
    /// name only the last part is unknown, the names that have the same beginning.
    private func names(near text: String, among valid: Candidates) -> (near: [String], siblings: [String]) {
        var candidates = shortenedTexts(of: valid)
        spelling.spend(candidates.count * 100)
        var (owner, name, siblings) = ("", text[...], [String]())
        if let slash = text.lastIndex(of: "/") {
            let prefix = text[...slash].lowercased()
            siblings = candidates.filter { other in
                other.lowercased().hasPrefix(prefix) && !other.dropFirst(prefix.count).contains("/")
            }
            if let first = siblings.first {
                (owner, name) = (String(first.prefix(prefix.count)), text[text.index(after: slash)...])
                candidates = siblings.map { String($0.dropFirst(prefix.count)) }
            }
        }
        let near = spelling.suggestions(for: String(name), among: candidates, count: 3)
        return (near.map { owner + $0 }, siblings)
    }

    /// Returns all names at a place, with and without their leading parts: `Garage/Light/On` and `Light/On`.
    private func shortenedTexts(of candidates: Candidates) -> [String] {
        if let known = shortened[candidates.key] { return known }
        var seen: Set<String> = []
        for text in texts(of: candidates).prefix(Self.maximumCompared)
        where text.utf8.count <= Self.maximumComparedBytes {
            var rest = text[...]
            seen.insert(text)
            while let slash = rest.firstIndex(of: "/") {
                rest = rest[rest.index(after: slash)...]
                seen.insert(String(rest))
            }
        }
        let known = seen.sorted()
        shortened[candidates.key] = known
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
