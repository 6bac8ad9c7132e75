internal import AccessoryModel

extension ObjectName {
    /// Creates a valid name from arbitrary text, or returns `nil` if nothing is left.
    ///
    /// Invalid characters become spaces, repeated spaces become one, and a long text is truncated.
    public init?(cleaning text: String) {
        // Only the part that the longest name may need is read, so that a text of a megabyte takes no longer.
        let beginning = String(decoding: text.utf8.prefix(4 * Self.maximumByteCount), as: UTF8.self)
        var scalars = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in beginning.unicodeScalars {
            let next: Unicode.Scalar = scalar.isAllowed(after: last) ? scalar : " "
            if next == " ", last == nil || last == " " { continue }
            scalars.append(next)
            last = next
        }
        self.init(truncating: String(scalars))
    }

    /// Returns the beginning of the name, limited to a number of characters and bytes, or `nil` if nothing is left.
    func prefix(count: Int, bytes: Int) -> ObjectName? {
        Self.truncated(text, count: count, bytes: bytes).map(ObjectName.init(checked:))
    }

    private init?(truncating text: String) {
        guard let cut = Self.truncated(text, count: Self.maximumCount, bytes: Self.maximumByteCount),
            let name = try? ObjectName(cut)
        else { return nil }
        self = name
    }

    /// Returns the beginning of a text with whole characters only, trimmed to the allowed first and last characters.
    ///
    /// Returns `nil` if nothing is left.
    private static func truncated(_ text: String, count: Int, bytes: Int) -> String? {
        var room = bytes
        var stored = ""
        for character in text.drop(while: { !$0.canBeAtNameEnd }).prefix(count) {
            room -= character.utf8.count
            guard room >= 0 else { break }
            stored.append(character)
        }
        while let last = stored.last, !last.canBeAtNameEnd {
            stored.removeLast()
        }
        return stored.isEmpty ? nil : stored
    }
}
