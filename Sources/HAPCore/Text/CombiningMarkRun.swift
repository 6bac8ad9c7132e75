/// Counts consecutive combining marks in a text.
///
/// Unicode sorts every run of them before comparing two texts, in quadratic time, so texts from files and peers may not
/// have long runs.
package struct CombiningMarkRun {
    /// The maximum number of consecutive marks: a few more than in Unicode's stream-safe format.
    package static let maximumLength = 32

    private var length = 0

    /// Begins before the first character.
    package init() {}

    /// Adds the next character; returns `false` for the first mark that exceeds the maximum.
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
    /// Whether more than ``CombiningMarkRun/maximumLength`` combining marks follow each other, so that sorting them is
    /// slow.
    ///
    /// Comparing two such texts may take a core minutes. Those of a file or a peer are refused or omitted.
    package var hasLongCombiningMarkRun: Bool {
        // In UTF-8, what combines begins with such a byte.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = CombiningMarkRun()
        return !unicodeScalars.allSatisfy { run.append($0) }
    }
}
