internal import AccessoryModel

extension ObjectName {
    /// The name that is nearest to a text that may hold anything; `nil` when nothing is left.
    ///
    /// What may not be in a name becomes a space, and spaces are one.
    /// Of a long text the beginning counts.
    public init?(cleaning text: String) {
        // As much as the longest name could need, so that a megabyte costs no more than that.
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

    /// The beginning of the name as a name, with at most so many characters and bytes; `nil` when nothing is left.
    func prefix(count: Int, bytes: Int) -> ObjectName? {
        Self.truncated(text, count: count, bytes: bytes).map(ObjectName.init(checked:))
    }

    private init?(truncating text: String) {
        guard let cut = Self.truncated(text, count: Self.maximumCount, bytes: Self.maximumByteCount),
            let name = try? ObjectName(cut)
        else { return nil }
        self = name
    }

    /// The beginning of a text that begins and ends as a name does, whole characters only; `nil` when there is none.
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
