/// Counts consecutive combining marks in a text.
///
/// Comparing texts by Unicode's rules sorts every run of combining marks, in quadratic time. So texts from files and
/// peers may not have long runs.
package struct CombiningMarkRun {
    /// The maximum number of consecutive marks: a few more than in Unicode's stream-safe format.
    package static let maximumLength = 32

    private var length = 0

    /// Creates a counter at the beginning of a text.
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
        // These are not reordered themselves, but a comparison decomposes them into two combining marks.
        case "\u{0F73}", "\u{0F75}", "\u{0F81}": true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

extension String {
    /// Whether the text has a run of more than ``CombiningMarkRun/maximumLength`` combining marks, which are slow to
    /// sort.
    ///
    /// Comparing two such texts may occupy a core for minutes. Such a text is refused or omitted if it comes from a
    /// file or a peer.
    package var hasLongCombiningMarkRun: Bool {
        // In UTF-8, the first byte of every combining mark is at least 0xCC.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = CombiningMarkRun()
        return !unicodeScalars.allSatisfy { run.append($0) }
    }
}
