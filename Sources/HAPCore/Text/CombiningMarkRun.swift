/// How many combining marks follow each other in a text.
///
/// Unicode puts every run of them in order before it compares two texts, and the time for that grows with the square of
/// the run: so texts from files and peers have none that is long.
package struct CombiningMarkRun {
    /// How many marks may follow each other: a few more than Unicode's stream-safe format has.
    package static let maximumLength = 32

    private var length = 0

    /// Begins before the first character.
    package init() {}

    /// Takes the next character; answers `false` for the first mark that is too many.
    package mutating func append(_ scalar: Unicode.Scalar) -> Bool {
        length = Self.isCombiningMark(scalar) ? length + 1 : 0
        return length <= Self.maximumLength
    }

    private static func isCombiningMark(_ scalar: Unicode.Scalar) -> Bool {
        // Combining marks begin at U+0300.
        guard scalar.value >= 0x300 else { return false }
        return switch scalar {
        // No marks themselves, but compared as two of them.
        case "\u{0F73}", "\u{0F75}", "\u{0F81}": true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

extension String {
    /// Whether so many combining marks follow each other, more than ``CombiningMarkRun/maximumLength``, that Unicode's order of them is
    /// slow to find.
    ///
    /// A comparison of two such texts takes a core minutes; those of a file or a peer are refused or left out.
    package var hasLongCombiningMarkRun: Bool {
        // In UTF-8, what combines begins with such a byte.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = CombiningMarkRun()
        return !unicodeScalars.allSatisfy { run.append($0) }
    }
}
