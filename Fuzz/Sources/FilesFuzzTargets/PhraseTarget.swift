import AccessoryModel
import FuzzHarness
import HAPCore
import HomeModel

/// Phrases: any text, and known words in any order.
///
/// A phrase is read or refused with a reason, and writes only values that its services accept. It opens, unlocks and
/// disarms only what it names itself.
enum PhraseTarget: FuzzTarget {
    static let name = "phrase"

    /// The words that an input can choose: those of phrases, the names in the house, and all names of the catalog.
    private static let words: [String] =
        ("turn on off set the a all lights light fan in except and but not to by 50% 21 degrees 4000 K half maximum little "
        + "much brighter dimmer warmer red warm white open close lock unlock toggle stop raise lower arm disarm is are "
        + "which what who did I leave forget to home away heat House Hall Down Light Fan All S Ada Bridge Gate Latch Bolt Siren all every each any locks doors alarm everything "
        + "everywhere here ? , don't 10 twenty five percent dim up down run activate good night how temperature")
        .split(separator: " ").map(String.init) + Catalog.services.map(\.name) + Catalog.characteristics.map(\.name)

    static var seeds: [String: [UInt8]] {
        let phrases = [
            "on": "turn on all lights in the Hall except the Light", "value": "set the Light to 40% and red",
            "step": "make All a little brighter", "ask": "are any lights on in the Hall?", "scene": "run S",
            "open": "open the Gate and unlock the Latch", "doors": "unlock every Bolt and all locks",
            "odd": "twenty five percent - 5 °C \u{1B} \u{202E} and, and",
        ]
        var seeds = phrases.mapValues { [0] + Array($0.utf8) }
        seeds["words"] = [1] + (0..<40).map { UInt8($0 * 5) }
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let text: String
        if source.byte() & 1 == 0 {
            text = String(decoding: source.remainder(), as: UTF8.self)
        } else {
            var chosen: [String] = []
            while !source.isEmpty { chosen.append(words[source.number() % words.count]) }
            text = chosen.joined(separator: " ")
        }
        guard let home = KnownHouse.homes.primaryHome else { return }
        var values: [CharacteristicSelector: CharacteristicValue] = [:]
        let phrase: Phrase
        switch outcome({ () throws(HomeError) in try Phrase(text, in: KnownHouse.homes) }) {
        case .failure(let error):
            claim(!error.reason.isEmpty && !error.remedy.isEmpty, "a refusal has a reason and a remedy")
            return
        case .success(let read): phrase = read
        }
        for selector in phrase.neededSelectors(in: home) { values[selector] = 1 }
        if case .question(let question) = phrase.meaning {
            claim(!PhraseAnswer(to: question, in: home, values).text.isEmpty, "a question has an answer")
        }
        guard let actions = try? phrase.actions(in: home, values: values) else { return }
        claim(!phrase.isQuestion || actions.isEmpty, "a question changes nothing")
        for action in actions {
            guard let characteristic = home.characteristic(action.characteristic) else {
                fatalError("does not hold: an action is of a service of the home")
            }
            if opens(action), let service = home.service(action.characteristic.service) {
                claim(isNamed(service.name.key, in: text), "nothing is opened that is not named")
            }
            claim(
                characteristic.metadata.value(from: action.value, isStrict: false) != nil,
                "a value is one of its characteristic's"
            )
        }
    }

    private static func opens(_ action: HomeAction) -> Bool {
        switch action.characteristic.type {
        case .lockTargetState, .targetDoorState: action.value == 0
        case .securitySystemTargetState: action.value == 3
        default: false
        }
    }

    /// Returns whether a text contains a name, and not only after a word such as "every".
    private static func isNamed(_ name: String, in text: String) -> Bool {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        guard words.joined().contains(name) else { return false }
        let places = words.indices.filter { words[$0] == name }
        return places.isEmpty
            || places.contains { $0 == 0 || !["all", "every", "each", "any"].contains(words[$0 - 1]) }
    }
}
