import AccessoryFiles
import ArgumentParser
import HomeModel

/// `hap home add automation`: what is to happen by itself.
struct HomeAddAutomation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automation",
        abstract: "Add an automation: what it waits for, what must be so, what it does, and when that ends.",
        discussion: """
            --trigger, --if and --end take a map as it stands under "when", "if" and "end" in a home file, and so all that \
            one can say; the braces around it may be left away. Of several --if all must be so.

            EXAMPLE
              hap home add automation Bedtime --at 22:30 --scene "Good Night"
              hap home add automation "Garage Night Light" --when "Garage Door/Current Door State=Opening" \\
                  --if "after: sunset" --set "Garage Light=on" --end-after 300
              hap home add automation Welcome --first-arrives --set "Window Light=on"
              hap home add automation Evening --sunset -15 --set "Upstairs lights=on"

            WHAT IT WAITS FOR
              --trigger "characteristic: Garage Door/CurrentDoorState, becomes: Opening"
              --trigger "characteristic: Living Room Thermostat/CurrentTemperature, above: 25"
              --trigger "characteristic: Living Room Thermostat/CurrentTemperature, below: 18"
              --trigger "characteristic: Living Room Thermostat/CurrentTemperature, within: 18...24"
              --trigger "characteristic: Front Door Lock/LockCurrentState, changes: true"
              --trigger "time: 07:00, on: workdays"
              --trigger "sun: sunset - 15min, on: [friday, saturday]"
              --trigger "date: 2026-12-24 18:00, every: year"
              --trigger "presence: everyoneArrives"
              --trigger "arrives: Ada"
              --trigger "interval: 2h"

            WHAT MUST BE SO
              --if "after: sunset"  --if "after: 22:00, before: 06:00"
              --if "days: weekend"  --if "presence: noOne"  --if "home: Ada"
              --if "characteristic: Garage Light/On, is: off"
              --if "any: [{ days: weekend }, { not: { presence: anyone } }]"

            WHEN IT ENDS
              --end "after: 5min, restore: true"
              --end "when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }, after: 5min,
                     set: [{ set: Garage Light/On, to: off }]"
            """
    )

    /// The seconds that an end may be delayed: what the rules allow.
    private static let delays = 1...31 * 86_400

    @Argument(help: ArgumentHelp("What it is called.", valueName: "name"))
    var name: String

    @OptionGroup var trigger: HomeTriggerOptions

    @Option(
        name: .customLong("if"),
        help: ArgumentHelp("What must be so then: whatever stands under \"if\" in a home file.", valueName: "map")
    )
    var conditions: [String] = []

    @Option(help: ArgumentHelp("A scene that it runs.", valueName: "name"), completion: HomeCompletion.names(.scene))
    var scene: [String] = []

    @Option(help: ArgumentHelp("What it sets.", valueName: "what=value"))
    var set: [String] = []

    @Option(
        help: ArgumentHelp("Restore what was before so many seconds after the run.", valueName: "seconds")
    )
    var endAfter: Int?

    @Option(help: ArgumentHelp("Whatever stands under \"end\" in a home file.", valueName: "map"))
    var end: String?

    @Flag(help: "Add it without letting it run; 'hap home automation enable' does.")
    var disabled = false

    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard !scene.isEmpty || !set.isEmpty else { throw ValidationError("Write what it does: --scene or --set.") }
        try SpokenAction.check(set)
        guard endAfter == nil || end == nil else { throw ValidationError("Write one of --end-after and --end.") }
        if let endAfter, !Self.delays.contains(endAfter) {
            throw ValidationError(
                "Write --end-after as seconds from \(Self.delays.lowerBound) to \(Self.delays.upperBound)."
            )
        }
        _ = try documentedConditions()
        _ = try documentedEnd()
    }

    func run() async throws {
        let conditions = try documentedConditions()
        let end = try documentedEnd()
        let spoken = try trigger.spoken()
        try await options.edit { [self] home throws(HomeError) in
            let objectName = try ObjectName(name)
            var scenes: [ObjectID<HomeScene>] = []
            for scene in scene {
                scenes.append(try home.scene(named: scene).id)
            }
            let targets = AutomationTargets(scenes: scenes, own: try SpokenAction.actions(set, in: home))
            let trigger = try spoken.trigger(of: objectName, in: home)
            let condition = try home.condition(conditions, of: objectName)
            var ending = endAfter.map { EndEvent(.after(.seconds($0)), .restore) }
            if let end {
                ending = try home.end(end, of: objectName)
            }
            _ = try home.addAutomation { [ending] id throws(HomeError) in
                Automation(
                    id: id,
                    name: objectName,
                    isEnabled: !disabled,
                    trigger: trigger,
                    condition: condition,
                    targets: targets,
                    end: ending
                )
            }
        }
        try options.report("Added the automation \(name).")
    }

    private func documentedConditions() throws -> [DocumentedCondition] {
        try conditions.map { try WrittenPart.read($0, "--if", HomeFile.condition) }
    }

    private func documentedEnd() throws -> DocumentedEnd? {
        try end.map { try WrittenPart.read($0, "--end", HomeFile.end) }
    }
}
