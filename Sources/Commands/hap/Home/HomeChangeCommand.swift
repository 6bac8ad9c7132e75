import AccessoryModel
import ArgumentParser
import HomeModel
import Hosting

/// The command `hap home change`, which changes an existing object.
struct HomeChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change a home, a scene, an automation, or the type that a service counts as.",
        discussion: """
            EXAMPLE
              hap home change home --latitude -33.87 --longitude 151.21 --time-zone Australia/Sydney
              hap home change scene "Movie Time" --set "Mood Light=5%" --remove "Window Light"
              hap home change automation Night --at 22:30 --if "days: workdays"
              hap home change service "Window Light" --counts-as lightbulb
            """,
        subcommands: [
            HomeChangeHome.self, HomeChangeScene.self, HomeChangeAutomation.self, HomeChangeService.self,
        ]
    )
}

/// The command `hap home change home`, which sets the location and time zone of a home, or makes it the primary one.
struct HomeChangeHome: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Set the location of a home, for sunrise and sunset, and its time zone; make it the primary home.",
        discussion: """
            EXAMPLE
              hap home change home --latitude 50.11 --longitude 8.68 --time-zone Europe/Berlin
              hap home change home --home "Kilgo House" --time-zone Australia/Sydney
              hap home change home --home "Kilgo House" --primary
            """
    )

    @OptionGroup var place: HomePlaceOptions

    @Flag(help: "Make it the primary home, which is used when no home is named.")
    var primary = false

    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        guard place.latitude != nil || place.longitude != nil || place.timeZone != nil || primary else {
            throw ValidationError("Write --latitude and --longitude, --time-zone, or --primary.")
        }
        guard primary else { return }
        guard options.homeName != nil else { throw ValidationError("Name the new primary home with --home.") }
        try options.useStoredHomes(because: "The primary home is one of this controller")
    }

    func run() async throws {
        let settings = try place.settings()
        let (_, home) = try await options.edit { home throws(HomeError) in try settings.apply(to: &home) }
        if primary {
            try await options.withStore { store in
                try await store.update { homes throws(HomeError) in try homes.setPrimary(home.id) }
            }
        }
        var parts = primary ? ["the primary home"] : []
        parts += home.place.map { ["at \($0.latitude), \($0.longitude)"] } ?? []
        parts += home.timeZone.map { ["in the time zone \($0)"] } ?? []
        try options.report("\(home.name) is \(parts.joined(separator: ", ")).")
    }
}

/// The command `hap home change scene`, which changes the actions and the kind of a scene.
struct HomeChangeScene: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene",
        abstract: "Change the actions or the kind of a scene.",
        discussion: """
            --set adds an action or changes its value, and --remove removes an action. A built-in scene stays built-in.

            EXAMPLE
              hap home change scene "Movie Time" --set "Mood Light=5%" --set "Upstairs lights=off"
              hap home change scene "Movie Time" --remove "Window Light" --remove "Mood Light/Brightness"
              hap home change scene "Movie Time" --kind homeArrival
            """
    )

    @Argument(help: ArgumentHelp("The scene.", valueName: "name"), completion: HomeCompletion.names(.scene))
    var name: String

    @Option(help: ArgumentHelp("An action to set.", valueName: "what=value"), completion: HomeCompletion.objects)
    var set: [String] = []

    @Option(
        help: ArgumentHelp("An action to remove.", valueName: "what"),
        completion: HomeCompletion.objects
    )
    var remove: [String] = []

    @Option(help: "The kind; a home has at most one scene of each kind except userDefined.")
    var kind: SceneKind?

    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard !set.isEmpty || !remove.isEmpty || kind != nil else {
            throw ValidationError("Write at least one of --set, --remove and --kind.")
        }
        try HomeActionArgument.check(set)
    }

    func run() async throws {
        let (scene, home) = try await options.edit { [name, set, remove, kind] home throws(HomeError) in
            let scene = try home.scene(named: name)
            var actions = scene.actions
            for text in remove {
                let gone = try HomeActionArgument.selectors(text, of: actions, in: home)
                actions.removeAll { gone.contains($0.characteristic) }
            }
            for action in try HomeActionArgument.actions(set, in: home) {
                if let index = actions.firstIndex(where: { $0.characteristic == action.characteristic }) {
                    actions[index] = action
                } else {
                    actions.append(action)
                }
            }
            try home.setActions(actions, of: scene.id)
            if let kind {
                try home.setKind(kind, of: scene.id)
            }
            return try home.scene(named: name)
        }
        let index = HomeIndex(home)
        let actions = scene.actions.map { index.text(of: $0) }.joined(separator: ", ")
        try options.report("\(scene.name) sets \(actions.isEmpty ? "nothing" : actions).")
    }
}

/// The command `hap home change service`, which sets the type that a service counts as.
struct HomeChangeService: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Set the type that an outlet or a switch counts as: with a lamp on it, for example, a lightbulb.",
        discussion: """
            EXAMPLE
              hap home change service "Window Light" --counts-as lightbulb
              hap home change service "Window Light" --counts-as outlet
            """
    )

    @Argument(help: ArgumentHelp("The service.", valueName: "name"), completion: HomeCompletion.names(.service))
    var name: String

    @Option(
        help: ArgumentHelp("The type: lightbulb, fan, outlet or switch.", valueName: "type"),
        completion: .list(["lightbulb", "fan", "outlet", "switch"])
    )
    var countsAs: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        guard let type = Catalog.service(named: countsAs)?.type else {
            throw CommandFailure.usage(
                "There is no type of service called \(countsAs.escapingControlCharacters); write lightbulb, fan, "
                    + "outlet or switch."
            )
        }
        let (service, _) = try await options.edit { [name] home throws(HomeError) in
            let service = try home.service(named: name)
            try home.setAssociatedType(type == service.type ? nil : type, of: service.id)
            return try home.service(named: name)
        }
        try options.report("\(service.name) counts as \(service.effectiveType).")
    }
}
