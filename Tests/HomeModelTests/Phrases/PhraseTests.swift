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

    /// Two lamps are on.
    @Test(arguments: [
        ("dim the lights", ["Desk Lamp 25", "Mood Light 25"]), ("brighter upstairs", ["Desk Lamp 75"]),
        ("half the brightness of the lights", ["Desk Lamp 25", "Mood Light 25"]),
        ("dim the lights and the hall light", ["Desk Lamp 25", "Hall Light 25", "Mood Light 25"]),
        ("dim the lights in the hall and the office", ["Desk Lamp 25"]), ("dim the lights in the hall", []),
    ])
    func aStepChangesOnlyWhatIsOnOrNamed(_ text: String, _ expected: [String]) throws {
        let house = try PhraseHouse()
        var values = house.values
        for name in ["Desk Lamp", "Mood Light"] {
            values[CharacteristicSelector(service: try house.home.service(named: name).id, type: .on)] = true
        }
        let phrase = try Phrase(text, in: house.home)
        let needed = Set(phrase.neededSelectors(in: house.home))
        let actions = try? phrase.actions(in: house.home, values: values.filter { needed.contains($0.key) })
        let texts = (actions ?? [])
            .map { "\(house.home.service($0.characteristic.service)?.name.text ?? "") \($0.value)" }
        #expect(texts.sorted() == expected)
    }

    @Test(arguments: [
        ("make the lights red", ["Bedroom Lamp", "Desk Lamp", "Hall Light", "Reading Lamp", "Window Light"]),
        ("make the mood light red", []),
        (
            "turn everything off in the living room",
            ["Living Room Blinds", "Living Room Thermostat"]
        ),
        ("turn off the lights and close the doors", []), ("good night", []), ("which lights are on?", []),
    ])
    func servicesThatAPhraseDoesNotChangeAreNamed(_ text: String, _ expected: [String]) throws {
        let house = try PhraseHouse()
        let phrase = try Phrase(text, in: house.home)
        let actions = try phrase.actions(in: house.home, values: house.values)
        #expect(phrase.unchangedServices(by: actions, in: house.home).map(\.name.text).sorted() == expected)
    }

    /// Ada and Ben are home (+), away (-), or it is not known (?).
    @Test(arguments: [
        ("is anyone home?", "+-", "true Ada is home."), ("is anyone home?", "-?", "nil"),
        ("is anyone home?", "--", "false No one is home."), ("who is home?", "++", "true Ada, Ben are home."),
        ("is everyone home?", "++", "true Yes, everyone is home."), ("is everyone home?", "+?", "nil"),
        ("is everyone home?", "+-", "false No, Ben is away."), ("is no one home?", "-?", "nil"),
        ("is no one home?", "--", "true Yes, no one is home."), ("is no one home?", "+?", "false No, Ada is home."),
        ("is Ben home?", "+-", "false No, Ben is away."), ("is Ada home?", "+-", "true Ada is home."),
    ])
    func answersAboutPeopleFollowTheirPresence(_ text: String, _ presence: String, _ expected: String) throws {
        var home = try PhraseHouse().home
        let ada = try #require(home.users.first { $0.role == .owner }).id
        for user in home.users where user.id != ada { try home.removeUser(user.id) }
        let ben = try home.addUser(named: ObjectName("Ben"), role: .member)
        for (user, isHome) in zip([ada, ben], presence) {
            try home.setPresence(isHome == "?" ? nil : isHome == "+", of: user)
        }
        guard case .question(let question) = try Phrase(text, in: home).meaning else {
            throw MomentError(text: "\(text) is not a question")
        }
        let answer = PhraseAnswer(to: question, in: home, [:])
        #expect(answer.isYes.map { "\($0) \(answer.text)" } ?? "nil" == expected)
    }

    @Test(arguments: [
        ("--", "It is not known. Not reachable: Reading Lamp, Bedroom Lamp."),
        ("0-", "Nothing that can be reached is on. Not reachable: Bedroom Lamp."), ("00", "Nothing is on."),
        ("1-", "Reading Lamp. Not reachable: Bedroom Lamp."),
    ])
    func anAnswerNamesWhatCouldNotBeReached(_ states: String, _ expected: String) throws {
        let home = try PhraseHouse().home
        var values: [CharacteristicSelector: CharacteristicValue] = [:]
        for (name, state) in zip(["Reading Lamp", "Bedroom Lamp"], states) where state != "-" {
            let lamp = try home.service(named: name)
            values[CharacteristicSelector(service: lamp.id, type: .on)] = .bool(state == "1")
        }
        guard case .question(let question) = try Phrase("which lights are on in the bedroom?", in: home).meaning else {
            throw MomentError(text: "this is not a question")
        }
        #expect(PhraseAnswer(to: question, in: home, values).text == expected)
    }

    /// The rule holds whatever is said: a command must name the one thing that is opened, unlocked or disarmed.
    @Test func randomWordsOpenOnlyWhatTheyName() throws {
        let house = try PhraseHouse()
        let words =
            "open unlock disarm turn off set to and except all every each any both doors lock locks garage door front hall "
            + "upstairs everything the in lights alarm security system target state 0 3 unsecured disarmed toggle is which "
            + "stop raise up opened unlocked opens not never don't one two of some I you we want it's door's just do would "
            + "alarms please can garage's at by"
        let pool =
            words.split(separator: " ").map(String.init) + Catalog.services.map(\.name)
            + ["garage door", "the garage door", "front door", "the alarm", "alarm", "unlock the front door"]
        var generator = SeededRandom(seed: 22)
        var (writes, openings) = (0, 0)
        for _ in 0..<10_000 {
            let text = (0..<Int.random(in: 1...6, using: &generator))
                .map { _ in pool[Int.random(in: 0..<pool.count, using: &generator)] }.joined(separator: " ")
            guard let phrase = try? Phrase(text, in: house.home),
                let actions = try? phrase.actions(in: house.home, values: house.values)
            else { continue }
            writes += actions.count
            #expect(!phrase.isQuestion || actions.isEmpty, "\(text)")
            for action in actions where Self.opens(action) {
                openings += 1
                let name = try #require(house.home.service(action.characteristic.service)?.name.text)
                #expect(Self.mayOpen(name, text), "\(text)")
            }
        }
        #expect(writes > 20)
        #expect(openings > 5)
    }

    /// Returns whether a text is a command that names an entrance, apart from the reader.
    private static func mayOpen(_ name: String, _ text: String) -> Bool {
        let words = text.lowercased().split(separator: " ").map(String.init)
        let names =
            [
                "Front Door Lock": [["front", "door"]], "Alarm": [["alarm"]],
                "Garage Door": [["garage", "door"], ["kilgo", "garage"]],
            ][name] ?? []
        let quantifiers: Set = ["all", "every", "each", "any", "both", "some", "two", "one", "two", "everything"]
        let commands: Set = ["open", "unlock", "disarm", "raise", "up", "set", "turn"]
        let statements: Set = ["i", "you", "we", "not", "never", "don't", "is", "which"]
        let isNamed = names.contains { name in
            words.indices.contains { start in
                guard words[start...].starts(with: name) else { return false }
                let before = words[..<start].last { $0 != "the" && $0 != "of" && $0 != "just" && $0 != "please" }
                return before.map { !quantifiers.contains($0) } ?? true
            }
        }
        // "You" is the subject of a question that asks politely.
        return isNamed && words.contains(where: commands.contains) && !words.contains(where: statements.contains)
            && !words[0].hasSuffix("ed")
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
