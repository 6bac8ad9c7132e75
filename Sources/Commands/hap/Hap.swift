import ArgumentParser
import Hosting

/// The program `hap`, with its commands.
@main
struct Hap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hap",
        abstract: "HomeKit accessories on the network, without the hardware.",
        discussion: """
            EXAMPLE
              hap serve                      put the Kilgo garage on the network
              hap serve lamp.yaml            put what a file describes on the network
              hap run Config/scenarios/garage-day.yaml
                                             run a scenario, and end with its result
              hap validate lamp.yaml         check a file
              hap convert old.hasaccessory lamp.yaml
              hap types lightbulb            show the characteristics of a service
              hap reset --pairings           make the accessories pairable again
              hap discover                   list the accessories on this network
              hap pair 192.168.1.20:51826 --code 101-48-005
              hap put kilgo-garage TargetDoorState=Open
              hap watch kilgo-garage         print its changes
              hap home                       show the homes; see also 'hap home --help'
              hap doctor                     diagnose problems
            """,
        version: "0.1.0",
        subcommands: [
            Serve.self, Simulate.self, Log.self, Trace.self, Run.self, Validate.self, Convert.self, Types.self,
            Reset.self, Doctor.self, Pair.self,
            Unpair.self,
            Pairings.self, Accessories.self, Get.self, Put.self, Watch.self, Wait.self, Identify.self,
            Discover.self, HomeCommand.self,
        ]
    )

    /// The commands without an explicit name, of which there must be none.
    ///
    /// ArgumentParser would derive the name of such a command from its type at every start. For this, the Swift runtime
    /// searches the protocol conformances of all libraries, which is slow.
    static var commandsWithoutName: [String] {
        configuration.subcommands.filter { $0.configuration.commandName == nil }.map { "\($0)" }
    }

    /// Whether `--json` is given, so that errors are printed as JSON, too.
    private static var isJSONRequested: Bool {
        CommandLine.arguments.prefix { $0 != "--" }.contains("--json")
    }

    /// Parses the arguments.
    ///
    /// Those of `serve` are parsed without the other commands, which takes a third of the time. If they are not accepted,
    /// or ask for help, the parser of all commands answers.
    private static func parsedCommand(_ arguments: [String]) async throws -> any ParsableCommand {
        if arguments.first == Serve.configuration.commandName,
            let serve = try? Serve.parse(Array(arguments.dropFirst()))
        {
            return serve
        }
        return try await asyncParseAsRoot()
    }

    /// Runs the command.
    ///
    /// A failure is one sentence on standard error and an exit code.
    static func main() async {
        do {
            // The check runs before the first suspension, because the main thread's run loop opens descriptors, too.
            try OpenFileLimit.check()
            guard !BashCompletion.isRequested(by: CommandLine.arguments) else {
                try Output.write(BashCompletion.script)
                return
            }
            // Without this check, ArgumentParser shows the help of `hap` for a misspelled command such as `hap help
            // sevre`.
            let arguments = Array(CommandLine.arguments.dropFirst())
            guard arguments != ["--version"] else {
                // ArgumentParser would answer the same in twice the time.
                try Output.write(configuration.version + "\n")
                return
            }
            if let help = Simulate.help(for: arguments) {
                try Output.write(help)
                return
            }
            if arguments.first == "help", UnknownCommand.find(in: arguments) != nil {
                throw CommandFailure.usage(UsageMessage(to: arguments, "", "").text)
            }
            var command = try await parsedCommand(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            guard !isJSONRequested else {
                StandardError.write(failure.json)
                Self.exit(withError: ExitCode(failure.code.rawValue))
            }
            let text = failure.isDiagnosticList ? failure.message : "hap: \(failure.message)"
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
            StandardError.write(lines.joined(separator: "\n") + "\n")
            Self.exit(withError: ExitCode(failure.code.rawValue))
        } catch {
            // Help and the version are also thrown as errors, and they belong on standard output.
            guard exitCode(for: error) == .validationFailure else { Self.exit(withError: error) }
            let response = UsageMessage(
                to: Array(CommandLine.arguments.dropFirst()),
                message(for: error),
                fullMessage(for: error)
            )
            let failure = CommandFailure.usage(response.text)
            StandardError.write(isJSONRequested ? failure.json : "hap: \(response.text)\n")
            Self.exit(withError: ExitCode.validationFailure)
        }
    }
}
