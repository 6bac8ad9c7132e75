internal import AccessoryModel
internal import Documents

/// A fault in the form of the prompt: `latency on Garage Door delay=2s times 3 for 1min`.
struct FaultPhrase {
    let request: FaultRequest<WrittenReferences>

    /// Parses a phrase.
    ///
    /// - Throws: ``SimulationError`` with the accepted forms.
    init(_ text: String) throws(SimulationError) {
        var words = text.split(separator: " ").map(String.init)[...]
        let name = words.popFirst() ?? ""
        let definition = try FaultCatalog.lookup(name)
        var wish = FaultRequest<WrittenReferences>(name)
        var target: [String] = []
        var (isTarget, hasTarget) = (false, false)
        while let word = words.popFirst() {
            if word == "on", !isTarget {
                (isTarget, hasTarget) = (true, true)
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
                wish.arguments[key] = try SimulationArgument(
                    String(word[word.index(after: equals)...]),
                    of: key,
                    for: definition
                )
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
        if hasTarget {
            guard !target.isEmpty else { throw PromptCommand.missingName("fault \(name) on Garage Door") }
            wish.target = SimulationTarget(target.joined(separator: " "))
        }
        self.request = wish
    }

    /// Returns the duration at the start of some words, and the number of its words: `1h 30min` has two.
    private static func duration(_ words: ArraySlice<String>) -> (Duration, count: Int)? {
        for count in stride(from: min(4, words.count), through: 1, by: -1) {
            let text = words.prefix(count).joined(separator: " ")
            if let duration = DurationText.readSum(text), duration <= Scenario.maximumDuration {
                return (duration, count)
            }
        }
        return nil
    }
}
