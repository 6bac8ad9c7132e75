import ArgumentParser
import HomeModel

/// `hap home automation`: what happens by itself.
struct HomeAutomationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automation",
        abstract: "Enable or disable an automation.",
        discussion: """
            EXAMPLE
              hap home automation disable "Light the Garage"
            """,
        subcommands: [HomeAutomationEnable.self, HomeAutomationDisable.self]
    )
}

/// `hap home automation enable`: lets it run.
struct HomeAutomationEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Let an automation run.",
        discussion: """
            EXAMPLE
              hap home automation enable "Light the Garage"
            """
    )

    @OptionGroup var automation: HomeAutomationOptions

    func run() async throws {
        try await automation.setEnabled(true)
    }
}

/// `hap home automation disable`: keeps it from running.
struct HomeAutomationDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Keep an automation from running; what it has begun still ends.",
        discussion: """
            EXAMPLE
              hap home automation disable "Light the Garage"
            """
    )

    @OptionGroup var automation: HomeAutomationOptions

    func run() async throws {
        try await automation.setEnabled(false)
    }
}

/// What the commands for one automation take.
struct HomeAutomationOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Which.", valueName: "name"), completion: HomeCompletion.names(.automation))
    var name: String

    @OptionGroup var options: HomeOptions

    fileprivate func setEnabled(_ isEnabled: Bool) async throws {
        try await options.edit { [name] home throws(HomeError) in
            try home.setAutomation(home.automation(named: name).id, isEnabled: isEnabled)
        }
        try options.report("\(name) is \(isEnabled ? "enabled" : "disabled").")
    }
}
