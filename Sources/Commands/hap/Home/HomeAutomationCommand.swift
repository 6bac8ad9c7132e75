import ArgumentParser
import HomeModel
import HomeRuntime

/// The command `hap home automation`, which enables or disables automations.
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

/// The command `hap home automation enable`, which enables an automation.
struct HomeAutomationEnable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Enable an automation.",
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

/// The command `hap home automation disable`, which disables an automation.
struct HomeAutomationDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable an automation; the end of a previous run still takes place.",
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

/// The options of the commands for one automation.
struct HomeAutomationOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The automation.", valueName: "name"), completion: HomeCompletion.names(.automation))
    var name: String

    @OptionGroup var options: HomeOptions

    fileprivate func setEnabled(_ isEnabled: Bool) async throws {
        try await options.withHome { home, selected in
            try await selected.store.setAutomation(named: name, isEnabled: isEnabled, in: home)
        }
        try options.report("\(name) is \(isEnabled ? "enabled" : "disabled").")
    }
}
