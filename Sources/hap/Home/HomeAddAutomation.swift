import AccessoryModel
import ArgumentParser
import HomeModel

/// `hap home add automation`: what is to happen by itself.
struct HomeAddAutomation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automation",
        abstract: "Add an automation with one trigger; a home file can say more of it.",
        discussion: """
            EXAMPLE
              hap home add automation "Good night" --at 22:30 --scene Sleep
              hap home add automation "Garage light" --when "Garage Door/Current Door State=Opening" \\
                  --set "Garage Light=on" --end-after 300
              hap home add automation "Welcome" --first-arrives --scene "I am home"
              hap home add automation "Evening" --sunset -15 --set "Upstairs lights=on"
            """
    )

    @Argument(help: ArgumentHelp("What it is called.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("When a property of a service becomes a value.", valueName: "service/property=value"))
    var when: String?

    @Option(help: ArgumentHelp("Every day at a time.", valueName: "hh:mm"))
    var at: String?

    @Option(help: ArgumentHelp("So many minutes after sunrise; before it when negative.", valueName: "minutes"))
    var sunrise: Int?

    @Option(help: ArgumentHelp("So many minutes after sunset; before it when negative.", valueName: "minutes"))
    var sunset: Int?

    @Flag(help: "When the first one comes home.")
    var firstArrives = false

    @Flag(help: "When the last one leaves.")
    var lastLeaves = false

    @Option(help: ArgumentHelp("A scene that it runs.", valueName: "name"), completion: HomeCompletion.names(.scene))
    var scene: [String] = []

    @Option(help: ArgumentHelp("What it sets.", valueName: "what=value"))
    var set: [String] = []

    @Option(
        help: ArgumentHelp("Restore what was before so many seconds after the run.", valueName: "seconds")
    )
    var endAfter: Int?

    @OptionGroup var options: HomeOptions

    private var triggerCount: Int {
        [when != nil, at != nil, sunrise != nil, sunset != nil, firstArrives, lastLeaves].count { $0 }
    }

    func validate() throws {
        guard triggerCount == 1 else {
            throw ValidationError(
                "Write one of --when, --at, --sunrise, --sunset, --first-arrives and --last-leaves."
            )
        }
        guard !scene.isEmpty || !set.isEmpty else { throw ValidationError("Write what it does: --scene or --set.") }
        if let at, CivilTime(at) == nil { throw ValidationError("Write a time as 22:30.") }
        try SpokenAction.check(set)
    }

    func run() async throws {
        try await options.edit { [self] home throws(HomeError) in
            let trigger = try trigger(in: home)
            var scenes: [ObjectID<HomeScene>] = []
            for scene in scene {
                scenes.append(try home.scene(named: scene).id)
            }
            let targets = AutomationTargets(scenes: scenes, own: try SpokenAction.actions(set, in: home))
            let objectName = try ObjectName(name)
            let end = endAfter.map { EndEvent(.after(.seconds($0)), .restore) }
            _ = try home.addAutomation { id throws(HomeError) in
                Automation(id: id, name: objectName, trigger: trigger, targets: targets, end: end)
            }
        }
        try options.report("Added the automation \(name).")
    }

    private func trigger(in home: Home) throws(HomeError) -> Trigger {
        if let when {
            let wanted = try SpokenAction.single(when, in: home)
            return .characteristic(wanted.characteristic, .equals(wanted.value))
        }
        if let time = at.flatMap({ CivilTime($0) }) { return .timeOfDay(time, .daily) }
        if let sunrise { return .sun(.sunrise, offset: .seconds(sunrise * 60), .daily) }
        if let sunset { return .sun(.sunset, offset: .seconds(sunset * 60), .daily) }
        return .presence(firstArrives ? .firstArrives : .lastLeaves)
    }
}
