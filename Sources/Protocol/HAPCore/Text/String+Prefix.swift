extension StringProtocol {
    /// Returns the longest prefix of at most this many bytes that ends between two characters.
    ///
    /// A single character that is longer than the limit is cut between its scalars instead.
    package func prefix(utf8Bytes limit: Int) -> String {
        guard utf8.count > limit else { return String(self) }
        var stored = ""
        var length = 0
        for character in self {
            length += character.utf8.count
            guard length <= limit else { break }
            stored.append(character)
        }
        return stored.isEmpty ? scalarPrefix(utf8Bytes: limit) : stored
    }

    private func scalarPrefix(utf8Bytes limit: Int) -> String {
        var stored = String.UnicodeScalarView()
        var length = 0
        for scalar in unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= limit else { break }
            stored.append(scalar)
        }
        return String(stored)
    }
}
