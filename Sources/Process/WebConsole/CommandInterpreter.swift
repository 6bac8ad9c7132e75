internal import AccessoryModel
package import Hosting
package import Simulation

/// The answer to a command of the prompt.
package enum CommandAnswer: Sendable, Hashable {
    /// The line was empty.
    case nothing
    /// The action was performed; the text describes it.
    case done(String)
    /// A text to show.
    case shown(String)
    /// The program should end.
    case quit
}

/// An interpreter of the commands of the prompt, the one for the terminal, for standard input, for scripts and the API.
package struct CommandInterpreter: Sendable {
    private let host: AccessoryHost

    package init(_ host: AccessoryHost) {
        self.host = host
    }

    /// Performs a command.
    ///
    /// - Throws: ``SimulationError`` if the command is not understood or refused.
    package func perform(_ line: String) async throws(SimulationError) -> CommandAnswer {
        let names = host.names
        switch try PromptCommand(line, names) {
        case .empty: return .nothing
        case .help(let word): return .shown(word.flatMap { PromptCommand.helpText(of: $0) } ?? PromptCommand.helpText)
        case .faults: return .shown(PromptCommand.faultHelpText)
        case .quit: return .quit
        case .show(let target):
            let object = try target.map { target throws(SimulationError) in try names.resolve(target) }
            let lines = await host.statusLines(of: object)
            return .shown(lines.isEmpty ? "There is nothing to show." : lines.joined(separator: "\n"))
        case .perform(let action): return .done(try await host.perform(names.resolve(action)))
        }
    }
}
