import ArgumentParser
import HomeModel

/// The command `hap home change automation`, which replaces parts of an automation.
struct HomeChangeAutomation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automation",
        abstract: "Replace the triggers, the conditions, the actions or the end of an automation.",
        discussion: """
            The options are those of 'hap home add automation'. One --at alone changes the time of day of its trigger, \
            and keeps the days unless --on gives others. Any other triggers replace all triggers, the given \
            conditions all conditions, the given scenes and actions all of these, and a given end the end. Everything \
            else stays. 'hap home rename automation' changes the name.

            EXAMPLE
              hap home change automation "Wake Up" --at 07:15
              hap home change automation "Evening Light" --sunset -30 --at 20:00
              hap home change automation Night --if "Garage Door=closed" --if "days: workdays"
              hap home change automation Night --scene "Good Night" --set "Garage Light=off"
              hap home change automation "Light the Garage" --end-when "Garage Door=closed" --end-after 2min
              hap home change automation "Light the Garage" --no-if --no-end --disable
            """
    )

    /// Whether an automation is enabled.
    enum State: String, EnumerableFlag {
        case enable, disable

        static func help(for value: State) -> ArgumentHelp? {
            value == .enable ? "Enable it." : "Disable it; the end of a previous run still takes place."
        }
    }

    @Argument(help: ArgumentHelp("The automation.", valueName: "name"), completion: HomeCompletion.names(.automation))
    var name: String

    @OptionGroup var rule: HomeRuleOptions

    @Flag(name: .customLong("no-if"), help: "Remove the condition.")
    var removesCondition = false

    @Flag(name: .customLong("no-end"), help: "Remove the end: the effects of a run last.")
    var removesEnd = false

    @Flag(exclusivity: .exclusive)
    var state: State?

    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard !rule.isEmpty || removesCondition || removesEnd || state != nil else {
            throw ValidationError("Nothing is to be changed; write at least one option, such as --at or --no-end.")
        }
        guard !removesCondition || rule.conditions.isEmpty else {
            throw ValidationError("Write one of --if and --no-if.")
        }
        guard !removesEnd || !rule.hasEnd else {
            throw ValidationError("Write a new end, or --no-end, but not both.")
        }
    }

    func run() async throws {
        let named = try rule.namedParts()
        let (automation, home) = try await options.edit { [self] home throws(HomeError) in
            var automation = try home.automation(named: name)
            let triggers = try rule.trigger.changedTime(of: automation, in: home)
            try rule.apply(named, to: &automation.rule, of: automation.name, in: home)
            if let triggers { automation.triggers = triggers }
            if removesCondition { automation.condition = nil }
            if removesEnd { automation.end = nil }
            if let state { automation.isEnabled = state == .enable }
            try home.replaceAutomation(with: automation)
            return automation
        }
        try options.report("\(automation.name): \(HomeIndex(home).text(of: automation)).")
    }
}
