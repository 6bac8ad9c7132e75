/// Finds the names that are similar to a misspelled one, within a budget of work.
///
/// One value is used for a whole file or run, so that a file with thousands of wrong names does not compare each of
/// them with thousands of others. When the budget is used up, no name is similar.
///
/// Names are similar if they differ by at most one typing error for every three letters, up to three in all. If there are
/// none, suggestions are those that begin with the text: `Brightness` for `bright`.
/// Case, spaces, `-`, `_` and `.` do not matter.
package struct SpellingSuggester: Sendable {
    /// The default budget: enough to compare dozens of wrong names with ten thousand similar ones.
    package static let defaultBudget = 20_000_000

    /// The maximum number of letters of a compared name.
    fileprivate static let maximumLetters = 64
    /// The maximum number of bytes of a compared name; more than its letters, since spaces do not count.
    private static let maximumBytes = 256

    /// The remaining work: a unit for each name, each of its bytes and each compared pair of letters.
    package private(set) var budget: Int
    private var letters: [UInt8] = []
    private var rows = DistanceRows()

    /// Creates a suggester with a budget.
    package init(budget: Int = Self.defaultBudget) {
        self.budget = budget
    }

    /// Reduces the budget by other work on the names.
    package mutating func spend(_ units: Int) {
        budget = max(0, budget - units)
    }

    /// Returns the most similar name, or the first of several that are equally similar; `nil` if none is similar.
    package mutating func nearest(to text: String, among names: some Collection<String>) -> String? {
        var nearest: String?
        search(for: text, among: names) { name, distance, limit in
            nearest = name
            limit = distance - 1
        }
        return nearest
    }

    /// Returns the names that are similar to a text, the most similar first.
    package mutating func suggestions(for text: String, among names: some Collection<String>, count: Int) -> [String] {
        var found: [(name: String, distance: Int)] = []
        search(for: text, among: names) { name, distance, _ in found.append((name, distance)) }
        guard !found.isEmpty else { return related(to: text, among: names, count: count) }
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(count).map(\.name)
    }

    /// Returns the most similar name, with a separate budget.
    package static func nearest(to text: String, among names: some Collection<String>) -> String? {
        var spelling = SpellingSuggester()
        return spelling.nearest(to: text, among: names)
    }

    /// Returns the similar names, the most similar first, with a separate budget.
    package static func suggestions(for text: String, among names: some Collection<String>, count: Int) -> [String] {
        var spelling = SpellingSuggester()
        return spelling.suggestions(for: text, among: names, count: count)
    }

    // MARK: -

    /// Returns names that begin with a text of at least two letters, the shortest first.
    ///
    /// Names that are more than four times as long are left out.
    private mutating func related(to text: String, among names: some Collection<String>, count: Int) -> [String] {
        guard budget > 0, 2...Self.maximumBytes ~= text.utf8.count else { return [] }
        Self.fold(text, into: &letters)
        let written = letters
        guard 2...Self.maximumLetters ~= written.count else { return [] }
        var found: [String] = []
        for name in names {
            budget -= 1
            guard budget > 0 else { break }
            guard name.utf8.count <= min(written.count * 4, Self.maximumBytes) else { continue }
            Self.fold(name, into: &letters)
            budget -= name.utf8.count
            if letters.starts(with: written) { found.append(name) }
        }
        return Array(found.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.prefix(count))
    }

    /// Calls `found` for each similar name with its distance and the limit for further names, which `found` may lower.
    private mutating func search(
        for text: String,
        among names: some Collection<String>,
        _ found: (String, Int, inout Int) -> Void
    ) {
        guard budget > 0, text.utf8.count <= Self.maximumBytes else { return }
        Self.fold(text, into: &letters)
        let written = letters
        guard 1...Self.maximumLetters ~= written.count else { return }
        var limit = min(written.count / 3, 3)
        for name in names {
            let bytes = name.utf8.count
            budget -= 1
            guard limit >= 0, budget > 0 else { return }
            // Folding never makes a name longer.
            guard bytes >= written.count - limit, bytes <= Self.maximumBytes else { continue }
            Self.fold(name, into: &letters)
            budget -= bytes
            guard abs(letters.count - written.count) <= limit, letters.count <= Self.maximumLetters else { continue }
            guard let distance = rows.distance(written, letters, limit: limit, &budget) else { continue }
            found(name, distance, &limit)
        }
    }

    /// Replaces the letters by those of a text in lower case, without spaces, `-`, `_` and `.`.
    ///
    /// Only ASCII letters are lowercased.
    package static func fold(_ text: String, into letters: inout [UInt8]) {
        letters.removeAll(keepingCapacity: true)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): break
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
            default: letters.append(byte)
            }
        }
    }
}

/// Counts the letters that are inserted, omitted, replaced, or swapped with their neighbor.
///
/// Only the band of the distance table that can be within the limit is computed (Ukkonen's algorithm).
private struct DistanceRows: Sendable {
    private var rowBeforePrevious = [Int](repeating: 0, count: SpellingSuggester.maximumLetters + 1)
    private var previousRow = [Int](repeating: 0, count: SpellingSuggester.maximumLetters + 1)
    private var currentRow = [Int](repeating: 0, count: SpellingSuggester.maximumLetters + 1)

    /// Returns the distance; `nil` when it is greater than the limit.
    mutating func distance(_ left: [UInt8], _ right: [UInt8], limit: Int, _ budget: inout Int) -> Int? {
        guard right.count < currentRow.count else { return nil }
        let far = limit + 1
        for column in 0...right.count { previousRow[column] = column }
        for (row, letter) in left.enumerated() {
            let (first, end) = (max(0, row - limit), min(right.count, row + limit + 1))
            guard first < end else { return nil }
            // Cells outside the band are too far.
            currentRow[first] = first == 0 ? row + 1 : far
            var least = currentRow[first]
            for column in first..<end {
                let other = right[column]
                var best = previousRow[column] + (letter == other ? 0 : 1)
                best = min(best, currentRow[column] + 1)
                // The last row ends one column earlier.
                if column < row + limit { best = min(best, previousRow[column + 1] + 1) }
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, rowBeforePrevious[column - 1] + 1)
                }
                currentRow[column + 1] = best
                least = min(least, best)
            }
            budget -= end - first
            guard least <= limit else { return nil }
            (rowBeforePrevious, previousRow, currentRow) = (previousRow, currentRow, rowBeforePrevious)
        }
        let distance = previousRow[right.count]
        return distance <= limit ? distance : nil
    }
}
