import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests home files with random changes.
struct HomeMutationTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func anyMutatedFileKeepsTheRulesAndExportsTheSame(seed: UInt64) throws {
        var chance = SeededRandom(seed: seed)
        var (merged, refused) = (0, 0)
        for _ in 0..<60 {
            let text = Self.mutated(&chance)
            guard let document = try? HomeFile.read(text, name: "home.yaml") else { continue }
            let merge = HomeMerge(document, into: Homes(), known: [], extent: .complete)
            guard merge.errors.isEmpty else {
                #expect(merge.homes == Homes() && merge.changes.isEmpty)
                #expect(merge.errors.allSatisfy { $0.location != nil })
                refused += 1
                continue
            }
            #expect(HomeRules.violations(in: merge.homes).isEmpty)
            merged += 1
            let written = try HomeFile.write(HomeDocument(merge.homes))
            let again = HomeMerge(
                try HomeFile.read(written, name: "again"),
                into: merge.homes,
                known: [],
                extent: .complete
            )
            #expect(again.errors.isEmpty, "\(again.errors.first?.value.description ?? "")")
            #expect(again.homes == merge.homes)
        }
        // The test is meaningful only if both cases occur.
        #expect(merged > 3 && refused > 0, "\(merged) and \(refused)")
    }

    /// Returns the sample file with words replaced by other words of it, or a byte by a random one.
    private static func mutated(_ chance: inout SeededRandom) -> [UInt8] {
        var bytes = Array(SampleHomeFile.text.utf8)
        for _ in 0..<Int.random(in: 1...2, using: &chance) {
            let isWord = Int.random(in: 0..<8, using: &chance) > 0
            let start = Int.random(in: 0..<bytes.count, using: &chance)
            if isWord {
                let one = word(at: start, in: bytes)
                let other = Array(bytes[word(at: Int.random(in: 0..<bytes.count, using: &chance), in: bytes)])
                bytes.replaceSubrange(one, with: other)
            } else {
                bytes[start] = UInt8.random(in: 0x20...0x7E, using: &chance)
            }
        }
        return bytes
    }

    /// Returns the range of the letters and digits around a position.
    private static func word(at position: Int, in bytes: [UInt8]) -> Range<Int> {
        func isWord(_ byte: UInt8) -> Bool {
            byte >= 0x80 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        }
        var start = position
        while start > 0, isWord(bytes[start - 1]) { start -= 1 }
        var end = position
        while end < bytes.count, isWord(bytes[end]) { end += 1 }
        return start..<max(end, start)
    }
}
