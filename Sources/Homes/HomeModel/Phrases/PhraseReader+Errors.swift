internal import AccessoryModel
internal import HAPCore

extension PhraseReader {
    /// Refuses to set the presence of a user, as in "Ada is home".
    func checkUsers(in tokens: [PhraseToken]) throws(HomeError) {
        guard let token = tokens.first(where: { $0.user != nil }) else { return }
        let isAway = tokens.contains { $0.has(.mode(.away)) || $0.has(.leave) || $0.has(.not) || $0.has(.except) }
        throw HomeError(
            .invalidValue,
            at: ObjectName.quoted(token.text),
            "This is a user, and a phrase does not set the presence of users.",
            remedy: "Mark the user as \(isAway ? "away" : "home")."
        )
    }

    func unknownWord(_ token: PhraseToken, after before: String? = nil) -> HomeError {
        let near = suggestions(for: token, after: before)
        if token.has(.sceneWord), near.isEmpty {
            return HomeError(.unknownScene, in: token.text)
        }
        return HomeError(
            .unknownObject,
            at: ObjectName.quoted(token.text),
            "This word is not known.",
            remedy: near.isEmpty
                ? "Say it in other words, or use a name of the home."
                : "Did you mean \(near.map { "\"\($0)\"" }.joined(separator: ", "))?"
        )
    }

    /// Returns the known words that a word resembles: names and types, or else words that say what to do.
    private func suggestions(for token: PhraseToken, after before: String?) -> [String] {
        let names = directory.names
        let key = ObjectName.key(of: token.text)
        let beginnings = key.count < 3 ? [] : Array(names.filter { ObjectName.key(of: $0).hasPrefix(key) }.prefix(3))
        let pair = before.map {
            SpellingSuggester.suggestions(for: "\($0) \(token.text)", among: names, count: 1)
        }
        // A short word resembles too many others.
        let isLong = token.text.count >= 5
        // The word may be misspelled as a part of a name.
        var parts: [String: String] = [:]
        for name in isLong ? names : [] {
            for part in name.split(separator: " ").map(String.init) {
                let key = ObjectName.key(of: part)
                guard table.types[key] == nil, table.meanings[key, default: []].allSatisfy({ $0 == .sceneWord })
                else { continue }
                parts[part] = parts[part] ?? name
            }
        }
        let named = SpellingSuggester.nearest(to: token.text, among: parts.keys.sorted()).flatMap { parts[$0] }
        var near: [String] =
            beginnings + (pair ?? []) + (named.map { [$0] } ?? [])
            + SpellingSuggester.suggestions(for: token.text, among: names + (isLong ? table.nouns : []), count: 3)
        if near.isEmpty, isLong { near = SpellingSuggester.suggestions(for: token.text, among: table.texts, count: 3) }
        return near.filter { ObjectName.key(of: $0) != key }
            .reduce(into: []) { known, text in
                if !known.contains(where: { ObjectName.key(of: $0) == ObjectName.key(of: text) }) { known.append(text) }
            }
    }
}
