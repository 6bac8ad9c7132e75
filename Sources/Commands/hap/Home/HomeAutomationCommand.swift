import ArgumentParser
import HomeModel
import HomeRuntime

/// The command `hap home automation`, which enables or disables an automation.
struct HomeAutomationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automation",
        abstract: "Enable or disable an automation.",
        discussion: """
            The end of a previous run still takes place after an automation is disabled. 'hap home add automation', \
            'hap home change automation' and 'hap home edit automation' say what it does; 'hap home show', 'rename' \
            and 'remove' work for all kinds of objects.

            EXAMPLE
              hap home automation disable "Light the Garage"
              hap home automation enable "Light the Garage"
            """
    )

    /// What is done with the automation.
    enum Action: String, CaseIterable, ExpressibleByArgument {
        case enable, disable
    }

    @Argument(help: "What to do.")
    var action: Action

    @Argument(help: .value("name", "The automation."), completion: HomeCompletion.names(.automation))
    var name: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        let isEnabled = action == .enable
        try await options.withHome { home, selected in
            try await selected.store.setAutomation(named: name, isEnabled: isEnabled, in: home)
        }
        try options.report("\(name) is \(isEnabled ? "enabled" : "disabled").")
    }
}
