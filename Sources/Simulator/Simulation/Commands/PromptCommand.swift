internal import AccessoryModel
internal import Documents
internal import HAPCore

/// A command that was typed at the prompt.
package enum PromptCommand: Sendable, Hashable {
    /// An empty line.
    case empty
    /// An action of the simulation.
    case perform(WrittenAction)
    /// Show the values of a target, or of everything that is simulated.
    case show(SimulationTarget?)
    /// Show the commands, or what one of them does.
    case help(String? = nil)
    /// Show the faults.
    case faults
    /// End the program.
    case quit

    /// A form of a command, for help.
    private struct Form {
        /// The form, which begins with the word of the command.
        let usage: String
        /// What the command does, in the imperative.
        let summary: String
        let example: String
        /// The command on the service whose name follows the word; `nil` for all other commands.
        var command: BehaviorCommand?

        var word: Substring { usage.prefix { $0 != " " } }
    }

    private static let forms = [
        Form(
            usage: "set NAME to VALUE",
            summary: "set a characteristic",
            example: "set Garage Door/Target Door State to Open"
        ),
        Form(
            usage: "press NAME [double|long]",
            summary: "press a button",
            example: "press Doorbell",
            command: .press(.single)
        ),
        Form(usage: "stop NAME", summary: "stop a movement", example: "stop Garage Door", command: .stop),
        Form(
            usage: "obstruct NAME",
            summary: "obstruct a movement",
            example: "obstruct Garage Door",
            command: .obstruct
        ),
        Form(
            usage: "clear obstruction NAME",
            summary: "remove the obstruction",
            example: "clear obstruction Garage Door"
        ),
        Form(usage: "plug NAME", summary: "plug in a cable", example: "plug HDMI 1", command: .plug),
        Form(usage: "unplug NAME", summary: "pull out a cable", example: "unplug HDMI 1", command: .unplug),
        Form(
            usage: "ask NAME ACTION [PARAMETER=VALUE …]",
            summary: "ask the driver of an accessory for something",
            example: "ask Shed calibrate"
        ),
        Form(
            usage: "fault FAULT [on NAME] [PARAMETER=VALUE …] [times N] [for DURATION]",
            summary: "inject a fault",
            example: "fault latency on Garage Door delay=2s times 3 for 1min"
        ),
        Form(usage: "clear [FAULT] [on NAME]", summary: "end faults", example: "clear latency on Garage Door"),
        Form(usage: "pause", summary: "pause simulated time", example: "pause"),
        Form(usage: "resume", summary: "resume simulated time", example: "resume"),
        Form(usage: "advance DURATION", summary: "advance simulated time", example: "advance 1h 30min"),
        Form(usage: "scale X", summary: "set the speed of simulated time", example: "scale 60"),
        Form(usage: "show [NAME]", summary: "show values", example: "show Garage Door"),
        Form(usage: "help [faults|COMMAND]", summary: "list the commands or the faults", example: "help fault"),
        Form(usage: "quit", summary: "end the program, as Ctrl-D and Ctrl-C do", example: "quit"),
    ]

    /// The first words of the commands.
    package static var words: [String] {
        var known: Set<Substring> = []
        return forms.map(\.word).filter { known.insert($0).inserted }.map { String($0) }
    }

    private static func form(of word: String) -> Form? {
        forms.first { $0.word == word }
    }

    /// Returns the command on a service that begins with a word; `nil` if there is none.
    static func serviceCommand(_ word: String) -> BehaviorCommand? {
        form(of: word)?.command
    }

    /// The list of commands.
    package static var helpText: String {
        // Terminals have 80 columns.
        let (width, columns) = (27, 79)
        return
            forms.map { form in
                let isShort =
                    form.example.contains(" ") && width + form.summary.count + form.example.count + 2 <= columns
                let summary = isShort ? "\(form.summary): \(form.example)" : form.summary
                return form.usage.count < width
                    ? form.usage + String(repeating: " ", count: width - form.usage.count) + summary
                    : "\(form.usage)\n\(String(repeating: " ", count: width))\(summary)"
            }
            .joined(separator: "\n")
    }

    /// Returns the help of a command, or `nil` if there is none with this word.
    ///
    /// - Parameter prefix: What is written before the command in the example.
    package static func helpText(of word: some StringProtocol, prefix: String = "") -> String? {
        let found = forms.filter { $0.word == word }
        guard !found.isEmpty else { return nil }
        let uses =
            found.map { "\($0.usage)\n    \($0.summary)" }
            + (word == "fault" ? ["FAULT is one of:\n" + faultHelpText] : [])
        return uses.joined(separator: "\n") + "\n\nEXAMPLE\n"
            + found.map { "  \(prefix)\($0.example)" }.joined(separator: "\n")
    }

    /// The list of faults with their parameters.
    package static var faultHelpText: String {
        FaultCatalog.definitions
            .map { definition in
                let parameters = definition.parameters.map(\.name)
                let settings = parameters.isEmpty ? "" : " (\(parameters.joined(separator: ", ")))"
                return "\(definition.name)\(settings): \(definition.summary)"
            }
            .joined(separator: "\n")
    }

    /// Parses a line.
    ///
    /// - Throws: ``SimulationError`` with the accepted forms.
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
        case "clear": self = .perform(try Self.clear(rest))
        case "ask": self = .perform(try Self.ask(words.dropFirst()))
        case "fault": self = .perform(.fault(try FaultPhrase(rest).request))
        case "pause": self = .perform(.pause)
        case "resume": self = .perform(.resume)
        case "advance":
            guard let duration = DurationText.readSum(rest) else {
                throw SimulationError(
                    .invalidValue,
                    "\"\(rest.prefix(100))\" is not a duration.",
                    "Write it as 12s, 5min or 2d 7h 30min."
                )
            }
            self = .perform(.advance(duration))
        case "scale":
            guard let scale = Double(rest) else {
                throw SimulationError(
                    .invalidValue,
                    "\"\(rest.prefix(100))\" is not a number.",
                    "Write the factor, such as scale 60."
                )
            }
            self = .perform(.scale(scale))
        case "show": self = .show(rest.isEmpty ? nil : SimulationTarget(rest))
        case "help" where rest == "faults": self = .faults
        case "help" where Self.words.contains(rest): self = .help(rest)
        case "help", "?": self = .help()
        case "quit", "exit": self = .quit
        default:
            if let form = Self.form(of: first), let command = form.command {
                self = .perform(.command(command, on: try Self.target(rest, form.example)))
                return
            }
            let near = SpellingSuggester.nearest(to: first, among: Self.words)
            throw SimulationError(
                .unknownName,
                "There is no command \"\(first.prefix(100))\".",
                near.map { "Did you mean \"\($0)\"?" } ?? "Type help for a list."
            )
        }
    }

    private static func target(_ text: String, _ example: String) throws(SimulationError) -> SimulationTarget {
        guard !text.isEmpty else { throw missingName(example) }
        return SimulationTarget(text)
    }

    static func missingName(_ example: String) -> SimulationError {
        SimulationError(.unknownName, "A name is missing.", "Write it as \"\(example)\".")
    }

    private static func set(_ text: String, _ names: SimulationNames) throws(SimulationError) -> WrittenAction {
        func isKnown(_ name: some StringProtocol) -> Bool {
            names.isKnown(SimulationTarget(name.trimmed), as: [.characteristic])
        }
        // Both the name and the value may contain the separator, so each place is tried.
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
        throw SimulationError(.unknownName, "The name or the value is missing.", "Write it as \"set NAME to VALUE\".")
    }

    private static func press(_ text: String, _ names: SimulationNames) throws(SimulationError) -> WrittenAction {
        for press in ButtonPress.allCases {
            let word = " " + ScenarioText.word(press)
            if text.hasSuffix(word), !names.isKnown(SimulationTarget(text), as: [.service]) {
                return .command(.press(press), on: SimulationTarget(String(text.dropLast(word.count))))
            }
        }
        return .command(.press(.single), on: try target(text, "press Doorbell"))
    }

    private static func ask(_ words: ArraySlice<String>) throws(SimulationError) -> WrittenAction {
        let first = words.firstIndex { argument(in: $0) != nil } ?? words.endIndex
        let others = words[..<first]
        guard let action = others.last, others.count > 1 else {
            throw SimulationError(
                .unknownName,
                "The name or the action is missing.",
                "Write it as \"ask NAME ACTION\"."
            )
        }
        // A value may contain spaces: it ends where the next argument begins.
        var arguments: [String: String] = [:]
        var name = ""
        for word in words[first...] {
            if let argument = argument(in: word) {
                name = argument.name
                arguments[name] = argument.value
            } else {
                arguments[name]? += " \(word)"
            }
        }
        return .act(DriverAction(action, arguments), on: SimulationTarget(others.dropLast().joined(separator: " ")))
    }

    /// Returns the name and the beginning of the value of an argument, such as `title=A`; `nil` for any other word.
    private static func argument(in word: String) -> (name: String, value: String)? {
        guard let equals = word.firstIndex(of: "="), word.first?.isLetter == true else { return nil }
        let name = word[..<equals]
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }) else { return nil }
        return (String(name), String(word[equals...].dropFirst()))
    }

    private static func clear(_ text: String) throws(SimulationError) -> WrittenAction {
        var words = text.split(separator: " ")[...]
        if words.first == "obstruction" {
            words.removeFirst()
            if words.first == "on" { words.removeFirst() }
            let target = try target(words.joined(separator: " "), "clear obstruction Garage Door")
            return .command(.clearObstruction, on: target)
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
    /// The text without surrounding spaces.
    fileprivate var trimmed: String {
        var text = Substring(self).drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
