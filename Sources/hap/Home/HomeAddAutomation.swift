import ArgumentParser
import Documents
import HomeModel

/// The command `hap home add automation`, which adds an automation.
struct HomeAddAutomation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automation",
        abstract: "Add an automation: its triggers, its conditions, its actions, and its end.",
        discussion: """
            --trigger, --if and --end take a map as under "when", "if" and "end" in a home file; the braces around it \
            may be omitted. Each of several triggers starts the automation; all of several conditions must be true.

            EXAMPLE
              hap home add automation Bedtime --at 22:30 --scene "Good Night"
              hap home add automation "Garage Night Light" --when "Garage Door/Current Door State=Opening" \\
                  --if "after: sunset" --set "Garage Light=on" --end-after 300
              hap home add automation Welcome --first-arrives --set "Window Light=on"
              hap home add automation Evening --sunset -15 --set "Upstairs lights=on"

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

    /// The allowed values of `--end-after` in seconds; the model has the same limits.
    private static let delays = 1...31 * 86_400

    @Argument(help: ArgumentHelp("The name of the automation.", valueName: "name"))
    var name: String

    @OptionGroup var trigger: HomeTriggerOptions

    @Option(
        name: .customLong("if"),
        help: ArgumentHelp("A condition, as under \"if\" in a home file.", valueName: "map")
    )
    var conditions: [String] = []

    @Option(help: ArgumentHelp("A scene that it runs.", valueName: "name"), completion: HomeCompletion.names(.scene))
    var scene: [String] = []

    @Option(help: ArgumentHelp("An action, as for 'hap home add scene'.", valueName: "what=value"))
    var set: [String] = []

    @Option(
        help: ArgumentHelp("Restore the previous values this many seconds after the run.", valueName: "seconds")
    )
    var endAfter: Int?

    @Option(help: ArgumentHelp("The end, as under \"end\" in a home file.", valueName: "map"))
    var end: String?

    @Flag(help: "Disable it after its first run.")
    var once = false

    @Flag(help: "Add it as disabled; 'hap home automation enable' enables it.")
    var disabled = false

    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard !scene.isEmpty || !set.isEmpty else {
            throw ValidationError("The actions are missing; write --scene or --set.")
        }
        try HomeActionArgument.check(set)
        guard endAfter == nil || end == nil else { throw ValidationError("Write one of --end-after and --end.") }
        if let endAfter, !Self.delays.contains(endAfter) {
            throw ValidationError(
                "Write --end-after as seconds from \(Self.delays.lowerBound) to \(Self.delays.upperBound)."
            )
        }
        _ = try rule()
    }

    func run() async throws {
        let rule = try rule()
        let (triggers, home) = try await options.edit { [self] home throws(HomeError) in
            let objectName = try ObjectName(name)
            var resolved = try home.resolve(rule, of: objectName)
            let valueTriggers = try trigger.valueTriggers(in: home)
            resolved.triggers += valueTriggers
            for scene in scene {
                resolved.targets.scenes.append(try home.scene(named: scene).id)
            }
            resolved.targets.ownActions = try HomeActionArgument.actions(set, in: home)
            _ = try home.addAutomation { [resolved] id in Automation(id: id, name: objectName, rule: resolved) }
            return valueTriggers
        }
        let note = triggers.isEmpty ? "" : " It runs \(home.text(of: triggers))."
        try options.report("Added the automation \(name).\(note)")
    }

    /// Returns the automation without the parts that are given as phrases.
    private func rule() throws -> AutomationRule<HomeNames> {
        let conditions = try conditions.map { try HomeFilePart.read($0, "--if", .condition) }
        let end = try end.map { try HomeFilePart.read($0, "--end", .end) }
        return AutomationRule(
            isEnabled: !disabled,
            executesOnce: once,
            triggers: try trigger.namedTriggers(),
            condition: conditions.count > 1 ? .all(conditions) : conditions.first,
            targets: AutomationTargets(),
            end: end ?? endAfter.map { EndEvent(.after(.seconds($0)), .restore) }
        )
    }
}
