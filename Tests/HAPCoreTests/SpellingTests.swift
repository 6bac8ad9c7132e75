import HAPCore
import TestSupport
import Testing

@Suite struct SpellingTests {
    /// Returns the distance without a limit, calculated with the complete table.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var table = [[Int]](repeating: Array(0...right.count), count: left.count + 1)
        for row in 0..<left.count {
            table[row + 1][0] = row + 1
            for column in 0..<right.count {
                var best = min(table[row][column + 1], table[row + 1][column]) + 1
                best = min(best, table[row][column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, table[row - 1][column - 1] + 1)
                }
                table[row + 1][column + 1] = best
            }
        }
        return table[left.count][right.count]
    }

    @Test
    func bandedDistancesMatchTheFullTable() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let text = (1...Int.random(in: 1...14, using: &random))
                .map { _ in "abc".randomElement(using: &random) ?? "a" }
            let names = (0..<6)
                .map { _ in
                    (1...Int.random(in: 1...16, using: &random)).map { _ in "abc".randomElement(using: &random) ?? "a" }
                }
            let limit = min(text.count / 3, 3)
            let near = names.map { ($0, Self.distance(text, $0)) }.filter { $0.1 <= limit }
            let related =
                names
                .filter { text.count >= 2 && $0.count <= text.count * 4 && $0.starts(with: text) }
                .map { String($0) }.sorted { ($0.count, $0) < ($1.count, $1) }
            let nearest = near.min { $0.1 < $1.1 }.map { String($0.0) }
            #expect(SpellingSuggester.nearest(to: String(text), among: names.map { String($0) }) == nearest)
            let sorted = near.isEmpty ? related : near.map { ($0.1, String($0.0)) }.sorted { $0 < $1 }.map(\.1)
            #expect(
                SpellingSuggester.suggestions(for: String(text), among: names.map { String($0) }, count: 6) == sorted
            )
        }
    }

    @Test
    func workIsLimitedByTheBudget() {
        let names = (0..<5_000).map { "The lamp above the long table in the dining room \($0)" }
        var spelling = SpellingSuggester(budget: 1_000_000)
        let wrong = (0..<2_000).map { "The lapm abvoe the long tabel in the dining room \($0)" }
        let suggestions = wrong.count { spelling.nearest(to: $0, among: names) != nil }
        #expect(suggestions > 0)
        #expect(suggestions < wrong.count)
        // The last search may exceed the budget by one name.
        #expect(-2_000...0 ~= spelling.budget)
    }

    @Test
    func namesOfVeryDifferentLengthAreNotCompared() {
        let names = (0..<1_000).map { String(repeating: "x", count: 30) + "\($0)" }
        var spelling = SpellingSuggester()
        let before = spelling.budget
        #expect(spelling.nearest(to: String(repeating: "x", count: 60), among: names) == nil)
        // Both passes look at each name once; one comparison of letters would cost 1,000 units.
        #expect(before - spelling.budget <= names.count * 40)
    }
}
