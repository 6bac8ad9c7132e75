import ArgumentParser

/// The command `hap cast`, which contains the commands for Google Cast.
struct CastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cast",
        abstract: "Work with Google Cast.",
        discussion: """
            EXAMPLE
              hap cast root > root.crt       the certificate with which Chromium accepts a simulated receiver
            """,
        subcommands: [CastRoot.self]
    )
}
