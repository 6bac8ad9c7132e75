internal import AccessoryModel
internal import Simulation

/// A fault as it is typed: `latency on Garage Door delay=2s times 3 for 1min`.
struct FaultPhrase {
    let wish: FaultWish

    /// - Throws: ``SimulationError`` with what would be right.
    init(_ text: String) throws(SimulationError) {
        var words = text.split(separator: " ").map(String.init)[...]
        guard let name = words.popFirst(), let definition = FaultCatalogue.definition(named: name) else {
            throw Self.unknown(text.split(separator: " ").first.map(String.init) ?? "")
        }
        var wish = FaultWish(name)
        var target: [String] = []
        var isTarget = false
        while let word = words.popFirst() {
            if word == "on", !isTarget {
                isTarget = true
            } else if word == "times", let count = words.first.flatMap({ Int($0) }), 1...1_000_000 ~= count {
                words.removeFirst()
                wish.count = count
                isTarget = false
            } else if word == "for", let (duration, count) = Self.duration(words) {
                words.removeFirst(count)
                wish.duration = duration
                isTarget = false
            } else if let equals = word.firstIndex(of: "=") {
                let key = String(word[..<equals])
                wish.arguments[key] = try Self.argument(key, String(word[word.index(after: equals)...]), definition)
                isTarget = false
            } else if isTarget {
                target.append(word)
            } else {
                throw SimulationError(
                    .invalidValue,
                    "\"\(word.prefix(100))\" is not understood.",
                    "Write it as fault \(name) on NAME PARAMETER=VALUE times 3 for 10s."
                )
            }
        }
        try Self.check(wish, definition)
        if !target.isEmpty { wish.target = SimulationTarget(target.joined(separator: " ")) }
        self.wish = wish
    }

    private static func check(_ wish: FaultWish, _ definition: FaultDefinition) throws(SimulationError) {
        if wish.count != nil, !definition.occurrence.takesCount {
            throw SimulationError(.invalidValue, "\(definition.name) does not act several times.", "Leave times away.")
        }
        if wish.duration != nil, !definition.occurrence.takesDuration {
            throw SimulationError(.invalidValue, "\(definition.name) is over at once.", "Leave for away.")
        }
    }

    /// The duration that words begin with, and how many they are: `1h 30min` is two.
    private static func duration(_ words: ArraySlice<String>) -> (Duration, count: Int)? {
        for count in stride(from: min(4, words.count), through: 1, by: -1) {
            let text = words.prefix(count).joined(separator: " ")
            if let duration = ScenarioFile.duration(text), duration <= Scenario.longest { return (duration, count) }
        }
        return nil
    }

    static func unknown(_ name: String) -> SimulationError {
        let names = FaultCatalogue.definitions.map(\.name)
        let near = Spelling.nearest(to: name, among: names)
        return SimulationError(
            .unknownName,
            name.isEmpty ? "No fault is named." : "There is no fault \"\(name.prefix(100))\".",
            near.map { "Did you mean \"\($0)\"?" } ?? "There are: \(names.joined(separator: ", "))."
        )
    }

    private static func argument(
        _ key: String,
        _ text: String,
        _ definition: FaultDefinition
    ) throws(SimulationError) -> SimulationArgument {
        guard let parameter = definition.parameters.first(where: { $0.name == key }) else {
            let names = definition.parameters.map(\.name)
            throw SimulationError(
                .unknownName,
                "\(definition.name) has no parameter \"\(key.prefix(100))\".",
                names.isEmpty ? "It has none." : "It has: \(names.joined(separator: ", "))."
            )
        }
        if let argument = ScenarioFile.argument(text, of: parameter.kind) { return argument }
        throw SimulationError(
            .invalidValue,
            "\"\(text.prefix(100))\" is no value of \(key).",
            "It is: \(parameter.summary)"
        )
    }
}
