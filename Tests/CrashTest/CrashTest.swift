import ArgumentParser

/// Cuts the power of servers, and takes their disk away.
@main
struct CrashTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "CrashTest",
        abstract: "Kill servers at random moments, and let their disk fail.",
        subcommands: [KillCommand.self, FaultCommand.self, DiskCommand.self, StructureServer.self]
    )
}
