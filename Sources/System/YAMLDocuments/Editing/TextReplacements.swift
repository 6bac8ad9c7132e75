/// Replacements of parts of a text, none of which overlap.
struct TextReplacements {
    private var replacements: [(range: Range<Int>, text: String)] = []

    /// The number of replacements.
    var count: Int { replacements.count }

    /// Adds a replacement; those at the same place are applied in the order in which they were added.
    mutating func replace(_ range: Range<Int>, with text: String) {
        replacements.append((range, text))
    }

    /// Removes the replacements that were added after the first ones.
    mutating func truncate(to count: Int) {
        replacements.removeLast(max(0, replacements.count - count))
    }

    /// Returns the text with all replacements, or `nil` if they overlap.
    func applied(to bytes: [UInt8]) -> [UInt8]? {
        // Insertions come before the removal of what follows them.
        let ordered = replacements.enumerated()
            .sorted { left, right in
                let (one, other) = (left.element.range, right.element.range)
                return (one.lowerBound, one.isEmpty ? 0 : 1, left.offset)
                    < (other.lowerBound, other.isEmpty ? 0 : 1, right.offset)
            }
        var edited: [UInt8] = []
        var offset = 0
        for (_, replacement) in ordered {
            guard replacement.range.lowerBound >= offset, replacement.range.upperBound <= bytes.count else {
                return nil
            }
            edited += bytes[offset..<replacement.range.lowerBound]
            edited += Array(replacement.text.utf8)
            offset = replacement.range.upperBound
        }
        return edited + bytes[offset...]
    }
}
