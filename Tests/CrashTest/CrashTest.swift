import ArgumentParser

/// A program that kills servers, and makes their disk fail.
@main
struct CrashTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "CrashTest",
        abstract: "Kill servers at random moments, and make their disk fail.",
        subcommands: [KillCommand.self, FaultCommand.self, DiskCommand.self, StructureServer.self]
    )
}
