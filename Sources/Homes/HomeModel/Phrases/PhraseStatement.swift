internal import AccessoryModel

/// A check that a phrase is a command, and not a statement such as "I just opened the door" or "the door's open".
///
/// A statement describes a state, and does not ask for a change.
struct PhraseStatement {
    private let tokens: [PhraseToken]

    init(_ tokens: [PhraseToken]) {
        self.tokens = tokens.filter { token in
            !token.has(.filler) || token.isTarget || token.ownsNothing
                || token.has(.subject) || token.has(.want)
        }
    }

    /// Whether the phrase has a subject, as in "I want the door open".
    var hasSubject: Bool { tokens.contains(where: isSubject) }

    /// Whether the phrase is a name and a state without a verb, as in "the front door locked".
    ///
    /// It can be a statement, a question or a request, so it is answered as a question, which changes nothing.
    var isNameWithState: Bool {
        guard let last = tokens.last, last.has(.past), tokens.count > 1 else { return false }
        return tokens.dropLast()
            .allSatisfy { token in
                !token.ownsNothing && !token.has(.past) && !isSubject(token)
                    && (token.isTarget
                        || token.state == nil
                            && token.words.contains { [.all, .everything, .place, .and].contains($0) })
                    && !token.has(.verb) && !token.has(.not)
            }
    }

    /// Checks that the phrase does not tell what is so.
    func check(_ text: String) throws(HomeError) {
        if tokens.indices.contains(where: tells) {
            // "Turn off the lights when I leave" is for an automation.
            if let later = tokens.first(where: { $0.has(.later) }) { throw HomeError(.later, in: later.text) }
            throw HomeError(.statement, in: text)
        }
        // "The front door's" alone does not mean the front door.
        guard let owner = tokens.first(where: { $0.ownsNothing && ($0.isTarget || $0.isScene) }) else { return }
        throw HomeError(.ownerAlone, in: owner.text)
    }

    /// Returns whether a token makes the phrase a statement.
    private func tells(_ index: Int) -> Bool {
        let token = tokens[index]
        let before = index > 0 ? tokens[index - 1] : nil
        let after = index + 1 < tokens.count ? tokens[index + 1] : nil
        // "The door's open", but not "unlock the door's".
        if token.ownsNothing, after != nil, before == nil || !token.isTarget { return true }
        // "You want the lights off" tells; "I want you to turn them off" does not.
        if isSubject(token), token.has(.listener) { return before?.has(.want) != true }
        if isSubject(token) { return after?.has(.want) != true && before?.has(.want) != true }
        guard token.has(.past), before?.has(.to) != true else { return false }
        // "Keep the door locked" has a verb in the same part.
        for earlier in tokens[..<index].reversed() {
            if earlier.has(.want) || earlier.has(.verb) && !earlier.isTarget { return false }
            if earlier.has(.and) || earlier.followsComma { break }
        }
        return true
    }

    /// Returns whether a token is a subject, and not the name of the only thing in the phrase.
    private func isSubject(_ token: PhraseToken) -> Bool {
        token.has(.subject) && (!token.isTarget || tokens.count(where: \.isTarget) > 1)
    }
}
