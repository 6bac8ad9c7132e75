import ArgumentParser

/// The command line.
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
              hap validate lamp.yaml         check it
              hap convert old.hasaccessory lamp.yaml
              hap types lightbulb            what a service has
              hap reset --pairings           let it be paired again
              hap discover                   list the accessories in this network
              hap pair 192.168.1.20:51826 --code 101-48-005
              hap put kilgo-garage TargetDoorState=Open
              hap watch kilgo-garage         print what changes in it
              hap home                       show the homes; 'hap home --help' tells the rest
              hap doctor                     find out what is wrong
            """,
        version: "0.1.0",
        subcommands: [
            Serve.self, Run.self, Validate.self, Convert.self, Types.self, Reset.self, Doctor.self, Pair.self,
            Unpair.self,
            Pairings.self, Accessories.self, Get.self, Put.self, Watch.self, Identify.self,
            Discover.self, HomeCommand.self,
        ]
    )

    /// The commands that do not say their names; there is none.
    ///
    /// ArgumentParser makes a missing name of the type's own, for every command at every start, and that takes the Swift
    /// runtime a search through all conformances of all libraries each.
    static var commandsWithoutName: [String] {
        configuration.subcommands.filter { $0.configuration.commandName == nil }.map { "\($0)" }
    }

    /// Whether errors are printed as JSON, as the results are.
    private static var isJSONRequested: Bool {
        CommandLine.arguments.prefix { $0 != "--" }.contains("--json")
    }

    /// Runs what was asked for; a failure is one sentence on standard error and an exit code with a meaning.
    static func main() async {
        do {
            // Before the first suspension, since the run loop of the main thread opens descriptors, too.
            try OpenFileLimit.check()
            guard !BashCompletion.isRequested(by: CommandLine.arguments) else {
                try Output.write(BashCompletion.script)
                return
            }
            // ArgumentParser shows the help of `hap` for `hap help sevre`.
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == "help", UnknownCommand.find(in: arguments) != nil {
                throw CommandFailure.usage(UsageMessage(to: arguments, "", "").text)
            }
            var command = try await asyncParseAsRoot()
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
            // Help and the version come this way too, and are for standard output.
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
