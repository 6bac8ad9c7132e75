import AccessoryModel
import ArgumentParser
import HAPCore
import Hosting

/// A word that is written where a command is expected, but that is not the name of a command.
struct UnknownCommand {
    /// The commands before the word, starting with the program.
    let parents: [String]
    private let word: String
    private let known: [String]

    /// Returns the unknown command of a command line, or `nil` if there is none.
    static func find(in arguments: [String]) -> UnknownCommand? {
        var command: any ParsableCommand.Type = Hap.self
        var parents = ["hap"]
        // `hap help serve` names a command after the word "help".
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { names(of: $0).contains(word) }) else {
                return UnknownCommand(
                    parents: parents,
                    word: word,
                    known: commands.flatMap { names(of: $0) } + ["help"]
                )
            }
            command = next
            parents.append(word)
        }
        return nil
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command.configuration.commandName].compactMap(\.self) + command.configuration.aliases
    }

    /// An error message that suggests the command with the most similar name.
    var message: String {
        let shown = String(word.prefix(100)).printable
        guard let near = SpellingSuggester.suggestions(for: word, among: known, count: 1).first else {
            return "There is no command '\(shown)'."
        }
        return "There is no command '\(shown)'; did you mean '\(near)'?"
    }
}

/// The error message for a command line that is wrong, with a reference to the help that explains it.
struct UsageMessage {
    /// One line that ends with a full stop.
    let text: String

    /// Creates the message for a command line.
    ///
    /// - Parameters:
    ///   - arguments: The command line, without the program.
    ///   - message: What is wrong with it.
    ///   - fullMessage: The same message, followed by the usage of the command.
    init(to arguments: [String], _ message: String, _ fullMessage: String) {
        if let unknown = UnknownCommand.find(in: arguments) {
            text = "\(unknown.message) See '\(unknown.parents.joined(separator: " ")) --help'."
            return
        }
        let command = fullMessage.matches(of: #/See '(hap[a-z -]*) --help' for more/#).last?.1 ?? "hap"
        let stop = [".", "?", "!"].contains { message.hasSuffix($0) } ? "" : "."
        text = "\(message)\(stop) See '\(command) --help'."
    }
}
