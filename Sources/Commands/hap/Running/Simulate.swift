import ArgumentParser
import Documents
import HAPCore
import Hosting
import Resources
import Simulation
import WebConsole

/// The command `hap simulate`, which acts on the simulated devices of a running process.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Act on the simulated devices of a running 'hap serve'.",
        discussion: """
            The commands are those of the prompt:

            \(PromptCommand.helpText.split(separator: "\n").filter { !$0.hasPrefix("quit") }.joined(separator: "\n"))

            EXAMPLE
              hap simulate set Motion Detected to true
              hap simulate press Doorbell
              hap simulate obstruct Garage Door
              hap simulate unplug HDMI 1
              hap simulate fault latency on Garage Light delay=2s times 3
              hap simulate advance 1h 30min
              hap simulate --state ./garage show Garage Door
              hap simulate fault --help
            """
    )

    /// Returns the help of one command, if a command line asks for it: `hap simulate obstruct --help`.
    ///
    /// ArgumentParser knows the words of the command only as arguments, and would show the help of `hap simulate`.
    ///
    /// - Parameter arguments: The command line, without the program.
    static func help(for arguments: [String]) -> String? {
        let isHelp = arguments.first == "help"
        let given = (isHelp ? arguments.dropFirst() : arguments[...]).prefix { $0 != "--" }
        guard given.first == configuration.commandName,
            isHelp || given.contains(where: { ["--help", "-h"].contains($0) })
        else { return nil }
        // The first word that is neither an option nor its value.
        let words = given.dropFirst()
        let word = words.indices.first { index in
            !words[index].hasPrefix("-") && !["--state", "--process"].contains(given[index - 1])
        }
        guard let word else { return nil }
        let text = words[word]
        return PromptCommand.helpText(of: text, prefix: "hap simulate ").map { "\($0)\n" }
    }

    @OptionGroup var options: ProcessOptions

    @Argument(parsing: .remaining, help: .value("command", "A command of the prompt."))
    var words: [String]

    func run() async throws {
        let line = words.joined(separator: " ")
        guard 1...PrintedCommands.maximumLength ~= line.utf8.count else {
            throw CommandFailure.usage("Write a command of at most \(PrintedCommands.maximumLength) bytes.")
        }
        let answer = try await options.running().request("POST", "/api/v1/commands", BodyFormat.command.write(line))
        let message = answer.object?["message"]?.string ?? ""
        if options.json {
            try Output.write(CommandResource.format.json(CommandResource(message: message)) + "\n")
        } else if !message.isEmpty {
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
            try Output.write(lines.joined(separator: "\n") + "\n")
        }
    }
}
