internal import AccessoryModel
internal import HAPCore
package import Simulation

/// What somebody has typed at the prompt.
package enum PromptCommand: Sendable, Hashable {
    /// Nothing.
    case empty
    /// Something to the simulation.
    case perform(SimulationAction)
    /// To see values: of this, or of everything that is simulated.
    case show(SimulationTarget?)
    /// To be told what can be typed.
    case help
    /// To be told what can go wrong.
    case faults
    /// To end the program.
    case quit

    /// The words that a command begins with.
    static let words = [
        "set", "press", "stop", "obstruct", "clear", "fault", "pause", "resume", "advance", "scale", "show", "help",
        "quit",
    ]

    /// What can be typed.
    package static let helpText = """
        set NAME to VALUE          give a characteristic a value: set Garage Door/Target Door State to Open
        press NAME [double|long]   press a button
        stop NAME                  stop what moves
        obstruct NAME              put something in the way
        clear obstruction NAME     take it away again
        fault FAULT [on NAME] [PARAMETER=VALUE …] [times N] [for DURATION]
                                   let something go wrong
                                   such as latency on Garage Door delay=2s times 3 for 1min
        clear [FAULT] [on NAME]    end faults
        pause, resume              let simulated time stand still, and go on
        advance DURATION           let it pass at once: advance 1h 30min
        scale X                    let it pass X times as fast
        show [NAME]                show values
        help faults                what can go wrong
        quit                       end the program, as Ctrl-D and Ctrl-C do
        """

    /// What can go wrong, with the parameters that each fault takes.
    package static var faultHelpText: String {
        FaultCatalog.definitions
            .map { definition in
                let parameters = definition.parameters.map(\.name)
                let settings = parameters.isEmpty ? "" : " (\(parameters.joined(separator: ", ")))"
                return "\(definition.name)\(settings): \(definition.summary)"
            }
            .joined(separator: "\n")
    }

    /// Understands a line.
    ///
    /// - Throws: ``SimulationError`` with what would be right.
    package init(_ line: String, _ names: SimulationNames) throws(SimulationError) {
        let words = line.split(separator: " ").map(String.init)
        guard let first = words.first else {
            self = .empty
            return
        }
        let rest = words.dropFirst().joined(separator: " ")
        switch first {
        case "set": self = .perform(try Self.set(rest, names))
        case "press": self = .perform(try Self.press(rest, names))
        case "stop": self = .perform(.stop(try Self.target(rest, "stop Garage Door")))
        case "obstruct": self = .perform(.obstruct(try Self.target(rest, "obstruct Garage Door")))
        case "clear": self = .perform(try Self.clear(rest))
        case "fault": self = .perform(.fault(try FaultPhrase(rest).request))
        case "pause": self = .perform(.pause)
        case "resume": self = .perform(.resume)
        case "advance":
            guard let duration = ScenarioFile.duration(rest) else {
                throw SimulationError(
                    .invalidValue,
                    "\"\(rest.prefix(100))\" is no duration.",
                    "Write it as 12s, 5min or 2d 7h 30min."
                )
            }
            self = .perform(.advance(duration))
        case "scale":
            guard let scale = Double(rest) else {
                throw SimulationError(
                    .invalidValue,
                    "\"\(rest.prefix(100))\" is no number.",
                    "Write how many times as fast, such as scale 60."
                )
            }
            self = .perform(.scale(scale))
        case "show": self = .show(rest.isEmpty ? nil : SimulationTarget(rest))
        case "help" where rest == "faults": self = .faults
        case "help", "?": self = .help
        case "quit", "exit": self = .quit
        default:
            let near = SpellingSuggester.nearest(to: first, among: Self.words)
            throw SimulationError(
                .unknownName,
                "There is no command \"\(first.prefix(100))\".",
                near.map { "Did you mean \"\($0)\"?" } ?? "Type help for all of them."
            )
        }
    }

    private static func target(_ text: String, _ example: String) throws(SimulationError) -> SimulationTarget {
        guard !text.isEmpty else { throw missingName(example) }
        return SimulationTarget(text)
    }

    static func missingName(_ example: String) -> SimulationError {
        SimulationError(.unknownName, "Nothing is named.", "Write it as \(example).")
    }

    private static func set(_ text: String, _ names: SimulationNames) throws(SimulationError) -> SimulationAction {
        func isKnown(_ name: some StringProtocol) -> Bool {
            names.isKnown(SimulationTarget(name.trimmed), as: [.characteristic])
        }
        // A value may hold what divides it from its name, and so may the name.
        let divisions = [" to ", "="].flatMap { text.ranges(of: $0).prefix(8) }
        if let known = divisions.first(where: { isKnown(text[..<$0.lowerBound]) }) {
            return .set(SimulationTarget(text[..<known.lowerBound].trimmed), to: text[known.upperBound...].trimmed)
        }
        let words = text.split(separator: " ")
        for count in stride(from: words.count - 1, through: 1, by: -1) {
            let name = words.prefix(count).joined(separator: " ")
            if isKnown(name) {
                return .set(SimulationTarget(name), to: words.dropFirst(count).joined(separator: " "))
            }
        }
        if let division = divisions.first {
            let name = text[..<division.lowerBound].trimmed
            return .set(try target(name, "set NAME to VALUE"), to: text[division.upperBound...].trimmed)
        }
        throw SimulationError(.unknownName, "Nobody knows what is set to what.", "Write it as set NAME to VALUE.")
    }

    private static func press(_ text: String, _ names: SimulationNames) throws(SimulationError) -> SimulationAction {
        for press in ButtonPress.allCases {
            let word = " " + ScenarioText.word(press)
            if text.hasSuffix(word), !names.isKnown(SimulationTarget(text), as: [.service]) {
                return .press(SimulationTarget(String(text.dropLast(word.count))), press)
            }
        }
        return .press(try target(text, "press Doorbell"), .single)
    }

    private static func clear(_ text: String) throws(SimulationError) -> SimulationAction {
        var words = text.split(separator: " ")[...]
        if words.first == "obstruction" {
            words.removeFirst()
            if words.first == "on" { words.removeFirst() }
            return .clearObstruction(try target(words.joined(separator: " "), "clear obstruction Garage Door"))
        }
        let on = words.firstIndex(of: "on")
        let name = words[..<(on ?? words.endIndex)].joined(separator: " ")
        let target = try on.map { on throws(SimulationError) in
            try Self.target(
                words[(on + 1)...].joined(separator: " "),
                "clear \(name.isEmpty ? "faults" : name) on Garage Door"
            )
        }
        guard !name.isEmpty, name != "faults" else { return .clear(fault: nil, on: target) }
        return .clear(fault: try FaultCatalog.lookup(name).name, on: target)
    }
}

extension StringProtocol {
    /// The text without the blanks around it.
    fileprivate var trimmed: String {
        var text = Substring(self).drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
