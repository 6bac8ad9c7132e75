import Foundation
import Testing

struct TryPhrases {
    @Test func tryPhrases() throws {
        guard let path = ProcessInfo.processInfo.environment["TRY"] else { return }
        let house = try PhraseHouse()
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: "\t").map(String.init)
            print("\(parts[0])\t\(house.outcome(of: parts[0]))" + (parts.count > 1 ? "\t\(parts[1])" : ""))
        }
    }
}
