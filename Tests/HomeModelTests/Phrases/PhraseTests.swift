import AccessoryModel
import Foundation
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests what phrases do in the house of ``PhraseHouse``.
struct PhraseTests {
    /// The rows of `phrases.tsv`: a phrase, and what it does.
    static let rows: [(phrase: String, outcome: String)] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "phrases.tsv")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { line in
                let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
    }()

    @Test func everyPhraseDoesWhatTheTableSays() throws {
        let house = try PhraseHouse()
        #expect(Self.rows.count >= 300)
        for (phrase, outcome) in Self.rows {
            let found = house.outcome(of: phrase)
            #expect(found == outcome, "\(phrase)")
        }
    }
}
