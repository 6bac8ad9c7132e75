import AccessoryModel
import Foundation
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests what phrases do in the house of ``PhraseHouse``.
struct PhraseTests {
    private static let table = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "phrases.tsv")

    /// `HAP_WRITE_FIXTURES=1 swift test --filter PhraseTests` writes the outcomes.
    @Test func everyPhraseDoesWhatTheTableSays() throws {
        let house = try PhraseHouse()
        let lines = try String(contentsOf: Self.table, encoding: .utf8).split(separator: "\n")
        var written: [String] = []
        var count = 0
        for line in lines {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                written.append(String(line))
                continue
            }
            count += 1
            let found = house.outcome(of: parts[0])
            written.append("\(parts[0])\t\(found)")
            if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] == nil {
                #expect(found == parts[1], "\(parts[0])")
            }
        }
        #expect(count >= 300)
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data((written.joined(separator: "\n") + "\n").utf8).write(to: Self.table)
        }
    }

    /// One lamp is on, one door is unlocked, and there is motion in one room.
    @Test(arguments: [
        ("is anything on?", true), ("are there lights on upstairs?", true), ("are the lights on?", false),
        ("did I leave a light on?", true), ("did I forget to turn off the lights?", true),
        ("did I lock all the doors?", false), ("is everything locked?", false), ("is anything unlocked?", true),
        ("is someone in the bedroom?", true), ("is the bedroom motion active?", true), ("are all lights off?", false),
        ("is everything in the office off?", true), ("is the alarm armed?", false), ("is there smoke?", false),
    ])
    func answersFollowTheValues(_ text: String, isYes: Bool) throws {
        let answer = try PhraseHouse()
            .answer(
                to: text,
                with: [
                    ("Reading Lamp", .on, true), ("Front Door Lock", .lockCurrentState, 0),
                    ("Bedroom Motion", .motionDetected, true),
                ]
            )
        #expect(answer.isYes == isYes, "\(answer.text)")
    }

    /// The rule holds whatever is said: only what is named is opened, unlocked or disarmed.
    @Test func randomWordsOpenOnlyWhatTheyName() throws {
        let house = try PhraseHouse()
        let entrances = ["Front Door Lock": "front door", "Garage Door": "garage door", "Alarm": "alarm"]
        let words =
            "open unlock disarm turn off set to and except all doors lock locks garage door front hall upstairs everything "
            + "the in lights alarm security system target state lock 0 3 unsecured disarmed toggle is which stop raise up"
        let pool = words.split(separator: " ").map(String.init) + Catalog.services.map(\.name)
        var generator = SeededGenerator(seed: 22)
        var writes = 0
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 1...7, using: &generator))
                .map { _ in pool[Int.random(in: 0..<pool.count, using: &generator)] }.joined(separator: " ")
            guard let phrase = try? Phrase(text, in: house.home),
                let actions = try? phrase.actions(in: house.home, values: house.values)
            else { continue }
            writes += actions.count
            #expect(!phrase.isQuestion || actions.isEmpty, "\(text)")
            for action in actions where Self.opens(action) {
                let name = try #require(house.home.service(action.characteristic.service)?.name.text)
                let key = try #require(entrances[name])
                #expect(text.lowercased().contains(key), "\(text)")
            }
        }
        #expect(writes > 20)
    }

    private static func opens(_ action: HomeAction) -> Bool {
        switch action.characteristic.type {
        case .lockTargetState, .targetDoorState: action.value == 0
        case .securitySystemTargetState: action.value == 3
        default: false
        }
    }

    @Test(arguments: [
        String(repeating: "turn on the lights and ", count: 500), String(repeating: "x", count: 10_000),
        String(repeating: "\u{1B}[2J ", count: 2_000), String(repeating: "9", count: 900), "\u{0}", " ", "?", "-", "%",
        "'",
        String(repeating: "the ", count: 40), "turn on \u{202E}lights", String(repeating: "and ", count: 40),
    ])
    func oddInputIsRefused(_ text: String) throws {
        let house = try PhraseHouse()
        #expect(throws: HomeError.self) {
            _ = try Phrase(text, in: house.home).actions(in: house.home, values: house.values)
        }
    }
}
