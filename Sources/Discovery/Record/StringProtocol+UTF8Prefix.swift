extension StringProtocol {
    /// The longest beginning of this text that takes at most this many bytes and ends between two characters.
    ///
    /// A single character that is longer than the limit is cut between its scalars instead.
    package func prefix(utf8Bytes limit: Int) -> String {
        guard utf8.count > limit else { return String(self) }
        var kept = ""
        var length = 0
        for character in self {
            length += character.utf8.count
            guard length <= limit else { break }
            kept.append(character)
        }
        return kept.isEmpty ? scalarPrefix(utf8Bytes: limit) : kept
    }

    private func scalarPrefix(utf8Bytes limit: Int) -> String {
        var kept = String.UnicodeScalarView()
        var length = 0
        for scalar in unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= limit else { break }
            kept.append(scalar)
        }
        return String(kept)
    }
}
