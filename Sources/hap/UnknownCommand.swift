import AccessoryModel
import ArgumentParser
import HAPCore

/// A word of a command line that stands where a command does, and is none.
struct UnknownCommand {
    /// The commands before it, the program first.
    let parents: [String]
    private let word: String
    private let known: [String]

    /// The one of a command line; `nil` when there is none.
    static func found(in arguments: [String]) -> UnknownCommand? {
        var command: any ParsableCommand.Type = Hap.self
        var parents = ["hap"]
        for word in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
                return UnknownCommand(
                    parents: parents,
                    word: word,
                    known: commands.compactMap { $0.configuration.commandName }
                )
            }
            command = next
            parents.append(word)
        }
        return nil
    }

    /// That there is no such command, and which one comes near.
    var sentence: String {
        let shown = String(word.prefix(100)).printable
        guard let near = Spelling.nearest(to: word, among: known) else { return "There is no command '\(shown)'." }
        return "There is no command '\(shown)'; did you mean '\(near)'?"
    }
}
