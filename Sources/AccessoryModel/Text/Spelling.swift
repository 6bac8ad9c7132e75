/// Finds what somebody may have meant.
package enum Spelling {
    /// The name that is nearest to what was written, the first of several; `nil` when none is near.
    package static func nearest(to text: String, among names: some Sequence<String>) -> String? {
        candidates(for: text, among: names).min { $0.distance < $1.distance }?.name
    }

    /// The names that are near to what was written, the nearest first.
    package static func near(to text: String, among names: [String], count: Int) -> [String] {
        candidates(for: text, among: names).sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(count).map(\.name)
    }

    /// The names that are near, in their order, with how far they are.
    ///
    /// Near are two typing errors, or one in three letters; case, blanks, `-`, `_` and `.` count nothing.
    private static func candidates(
        for text: String,
        among names: some Sequence<String>
    ) -> [(name: String, distance: Int)] {
        let written = letters(of: text)
        guard !written.isEmpty, written.count <= 64 else { return [] }
        let limit = max(1, min(written.count / 3 + 1, 4))
        return names.compactMap { name in
            let letters = letters(of: name)
            guard abs(letters.count - written.count) <= limit, letters.count <= 64 else { return nil }
            let distance = distance(written, letters)
            return distance <= limit ? (name, distance) : nil
        }
    }

    private static func letters(of text: String) -> [UInt8] {
        text.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
    }

    /// How many letters are to be put in, left out, replaced, or swapped with their neighbour.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var line = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(line[column], last[column + 1]) + 1
                best = min(best, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, before[column - 1] + 1)
                }
                line.append(best)
            }
            before = last
            last = line
        }
        return last[right.count]
    }
}
