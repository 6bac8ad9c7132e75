import ArgumentParser
import HomeModel
import HomeRuntime

/// `hap home user`: who is home.
struct HomeUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract:
            "Say that somebody has come or gone; a 'hap home run' notices within a second, and with --served a 'hap serve --home'.",
        discussion: """
            EXAMPLE
              hap home user arrive Ada
              hap home user leave Ada
            """,
        subcommands: [HomeUserArrive.self, HomeUserLeave.self]
    )
}

/// `hap home user arrive`: somebody has come.
struct HomeUserArrive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "arrive",
        abstract: "Say that somebody has come home.",
        discussion: """
            EXAMPLE
              hap home user arrive Ada
            """
    )

    @OptionGroup var user: HomeUserOptions

    func run() async throws {
        try await user.setPresence(true)
    }
}

/// `hap home user leave`: somebody has gone.
struct HomeUserLeave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Say that somebody has left home.",
        discussion: """
            EXAMPLE
              hap home user leave Ada
            """
    )

    @OptionGroup var user: HomeUserOptions

    func run() async throws {
        try await user.setPresence(false)
    }
}

/// What the commands for one user take.
struct HomeUserOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Who.", valueName: "name"), completion: HomeCompletion.names(.user))
    var name: String

    @OptionGroup var servedOption: HomeServedOption
    @OptionGroup var options: HomeOptions

    fileprivate func setPresence(_ isHome: Bool) async throws {
        try await options.withHome(served: servedOption.served) { home, store in
            let user = try home.user(named: name)
            try await store.setPresence(isHome, of: user.id, in: home.id)
            try options.report("\(user.name) \(isHome ? "is home" : "has left").")
        }
    }
}
