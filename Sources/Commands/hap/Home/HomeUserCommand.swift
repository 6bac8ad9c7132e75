import ArgumentParser
import HomeModel
import HomeRuntime

/// The command `hap home user`, which sets whether users are at home.
struct HomeUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract:
            "Mark a user as home or away. 'hap home run' notices within a second, or with --served 'hap serve --home'.",
        discussion: """
            EXAMPLE
              hap home user arrive Ada
              hap home user leave Ada
            """,
        subcommands: [HomeUserArrive.self, HomeUserLeave.self]
    )
}

/// The command `hap home user arrive`, which marks a user as home.
struct HomeUserArrive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "arrive",
        abstract: "Mark a user as home.",
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

/// The command `hap home user leave`, which marks a user as away.
struct HomeUserLeave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Mark a user as away.",
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

/// The options of the commands for one user.
struct HomeUserOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The user.", valueName: "name"), completion: HomeCompletion.names(.user))
    var name: String

    @OptionGroup var options: HomeOptions

    fileprivate func setPresence(_ isHome: Bool) async throws {
        try await options.withHome { home, homes in
            let user = try await homes.store.setPresence(isHome, ofUserNamed: name, in: home)
            try options.report("\(user.name) \(isHome ? "is home" : "has left").")
        }
    }
}
