import ArgumentParser
import HomeModel
import HomeRuntime

/// The command `hap home user`, which marks a user as home or away.
struct HomeUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract:
            "Mark a user as home or away. 'hap home run' notices within a second, or with --served 'hap serve --home'.",
        discussion: """
            EXAMPLE
              hap home user arrive Ada
              hap home user leave Ada
            """
    )

    /// What the user does.
    enum Action: String, CaseIterable, ExpressibleByArgument {
        case arrive, leave
    }

    @Argument(help: "What the user does.")
    var action: Action

    @Argument(help: .value("name", "The user."), completion: HomeCompletion.names(.user))
    var name: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        let isHome = action == .arrive
        try await options.withHome { home, selected in
            let user = try await selected.store.setPresence(isHome, ofUserNamed: name, in: home)
            try options.report("\(user.name) \(isHome ? "is home" : "has left").")
        }
    }
}
