import ArgumentParser
import Glibc
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
              hap routes                     list the AirPlay and Cast receivers on this network
              hap cast                       control Cast receivers; see 'hap cast --help'
              hap doctor                     diagnose problems
            """,
        version: "0.1.0",
        subcommands: [
            Serve.self, Simulate.self, Log.self, Trace.self, Run.self, Validate.self, Convert.self, Types.self,
            Reset.self, Doctor.self, Pair.self,
            Unpair.self,
            Pairings.self, Accessories.self, Get.self, Put.self, Watch.self, Wait.self, Identify.self,
            Discover.self, Routes.self, HomeCommand.self, CastCommand.self,
        ]
    )

    /// The commands without an explicit name, of which there must be none.
    ///
    /// ArgumentParser would derive the name of such a command from its type at every start. For this, the Swift runtime
    /// searches the protocol conformances of all libraries, which is slow.
    static var commandsWithoutName: [String] {
        configuration.subcommands.filter { $0.configuration.commandName == nil }.map { "\($0)" }
    }

    /// Performs the command line of the process, and ends the process.
    static func main() async {
        let status: Int32
        do {
            // The check runs before the first suspension, because the main thread's run loop opens descriptors, too.
            try OpenFileLimit.check()
            status = await perform()
        } catch {
            status = report(error)
        }
        Glibc.exit(status)
    }

    /// Performs the command line of ``CommandContext/current``.
    ///
    /// A failure is one sentence on standard error and an exit status.
    ///
    /// - Returns: The exit status.
    nonisolated(nonsending) static func perform() async -> Int32 {
        let arguments = CommandContext.current.arguments
        do {
            guard !BashCompletion.isRequested(by: arguments) else {
                try Output.write(BashCompletion.script)
                return EXIT_SUCCESS
            }
            guard arguments != ["--version"] else {
                // ArgumentParser would answer the same in twice the time.
                try Output.write(configuration.version + "\n")
                return EXIT_SUCCESS
            }
            if let help = Simulate.help(for: arguments) {
                try Output.write(help)
                return EXIT_SUCCESS
            }
            // Without this check, ArgumentParser shows the help of `hap` for a misspelled command such as `hap help
            // sevre`.
            if arguments.first == "help", UnknownCommand.find(in: arguments) != nil {
                throw CommandFailure.usage(UsageMessage(to: arguments, "", "").text)
            }
            var command = try await parsedCommand(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return EXIT_SUCCESS
        } catch {
            let error = CommandFailure.commandError(for: error)
            if let failure = error as? CommandFailure { return report(failure) }
            return report(error)
        }
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
        return try await asyncParseAsRoot(arguments)
    }

    /// Prints a failure, and returns the exit status.
    private static func report(_ failure: CommandFailure) -> Int32 {
        if isJSONRequested {
            StandardError.write(failure.json)
        } else {
            let text = failure.isDiagnosticList ? failure.message : "hap: \(failure.message)"
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
            StandardError.write(lines.joined(separator: "\n") + "\n")
        }
        return failure.code.rawValue
    }

    /// Prints what ArgumentParser or a command has thrown, and returns the exit status.
    ///
    /// Help and the version are also thrown as errors, and they belong on standard output.
    private static func report(_ error: any Error) -> Int32 {
        let context = CommandContext.current
        let code = exitCode(for: error)
        let text = fullMessage(for: error)
        guard code != .validationFailure else {
            let response = UsageMessage(to: context.arguments, message(for: error), text)
            let failure = CommandFailure.usage(response.text)
            StandardError.write(isJSONRequested ? failure.json : "hap: \(response.text)\n")
            return code.rawValue
        }
        // The same as `exit(withError:)`. An exit code has no text.
        if !text.isEmpty {
            FileDescriptorWriter.write(text + "\n", to: code.isSuccess ? context.output : context.errors)
        }
        return code.rawValue
    }

    /// Whether `--json` is given, so that errors are printed as JSON, too.
    private static var isJSONRequested: Bool {
        CommandContext.current.arguments.prefix { $0 != "--" }.contains("--json")
    }
}
