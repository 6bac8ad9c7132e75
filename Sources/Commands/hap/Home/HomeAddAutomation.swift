import ArgumentParser
import HomeModel

/// The command `hap home add automation`, which adds an automation.
struct HomeAddAutomation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automation",
        abstract: "Add an automation: its triggers, its conditions, its actions, and its end.",
        discussion: """
            Each of several triggers starts the automation; all of several conditions must be true. --trigger, --if and \
            --end also take a map as under "when", "if" and "end" in a home file, which can express everything; the \
            braces around it may be omitted.

            EXAMPLE
              hap home add automation Bedtime --at 22:30 --scene "Good Night"
              hap home add automation "Garage Night Light" --when "Garage Door/Current Door State=Opening" \\
                  --if "after: sunset" --set "Garage Light=on" --end-after 300
              hap home add automation Welcome --first-arrives --set "Window Light=on"
              hap home add automation Evening --sunset -15 --on "friday, saturday" --set "Upstairs lights=on"
              hap home add automation Cooling --when "Living Room Thermostat/Current Temperature>25" \\
                  --if "Garage Door=closed" --set "Window Light=off"
              hap home add automation "Watch the Door" --when "Front Door Lock changes" --leaves Ada --at 22:00 \\
                  --set "Garage Light=on" --end-when "Garage Door=closed" --end-after 5min --end-set "Garage Light=off"

            TRIGGERS
              --trigger "characteristic: Garage Door/CurrentDoorState, becomes: Opening"
              --trigger "characteristic: Living Room Thermostat/CurrentTemperature, above: 25"
              --trigger "characteristic: Living Room Thermostat/CurrentTemperature, below: 18"
              --trigger "characteristic: Living Room Thermostat/CurrentTemperature, within: 18...24"
              --trigger "characteristic: Living Room Thermostat/CurrentTemperature, within: 25..."
              --trigger "characteristic: Front Door Lock/LockCurrentState, changes: true"
              --trigger "time: 07:00, on: workdays"
              --trigger "sun: sunset - 15min, on: [friday, saturday]"
              --trigger "date: 2026-12-24 18:00, every: year"
              --trigger "presence: everyoneArrives"
              --trigger "presence: anyoneLeaves"
              --trigger "arrives: Ada"
              --trigger "interval: 2h"

            CONDITIONS
              --if "after: sunset"  --if "after: 22:00, before: 06:00"
              --if "days: weekend"  --if "presence: noOne"  --if "home: Ada"
              --if "characteristic: Garage Light/On, is: off"
              --if "any: [{ days: weekend }, { not: { presence: anyone } }]"

            ENDS
              --end "after: 5min, restore: true"
              --end "when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }, after: 5min,
                     set: [{ set: Garage Light/On, to: off }]"
            """
    )

    @Argument(help: ArgumentHelp("The name of the automation.", valueName: "name"))
    var name: String

    @OptionGroup var rule: HomeRuleOptions

    @Flag(help: "Add it as disabled; 'hap home change automation' enables it.")
    var disabled = false

    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard !rule.trigger.isEmpty else {
            throw ValidationError(
                "The trigger is missing; write at least one of --when, --at, --sunrise, --sunset, --date, --every, "
                    + "--first-arrives, --last-leaves, --everyone-arrives, --anyone-arrives, --anyone-leaves, "
                    + "--arrives, --leaves and --trigger."
            )
        }
        guard rule.hasTargets else { throw ValidationError("The actions are missing; write --scene or --set.") }
    }

    func run() async throws {
        let named = try rule.namedParts()
        let (automation, home) = try await options.edit { [self] home throws(HomeError) in
            let objectName = try ObjectName(name)
            var new = AutomationRule<HomeIDs>(isEnabled: !disabled, triggers: [], targets: AutomationTargets())
            try rule.apply(named, to: &new, of: objectName, in: home)
            let id = try home.addAutomation { [new] id in Automation(id: id, name: objectName, rule: new) }
            return home.automations.first { $0.id == id }
        }
        // The property that a phrase means is chosen by the command, so it is printed.
        let chosen = automation?.triggers.suffix(rule.trigger.when.count) ?? []
        let note = chosen.isEmpty ? "" : " It runs \(home.text(of: Array(chosen)))."
        try options.report("Added the automation \(name).\(note)")
    }
}
