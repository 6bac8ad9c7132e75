import ArgumentParser
import HomeModel
import HomeRuntime

/// The command `hap home add`, which adds an object to a home.
struct HomeAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a home, a room, a zone, a group, a scene, an automation or a user.",
        discussion: """
            EXAMPLE
              hap home add home "Kilgo House"
              hap home add room Kitchen
              hap home add zone "Living Area" "Living Room" Hall
              hap home add group "Evening Lights" "Mood Light" "Window Light"
              hap home add scene Reading "Mood Light=40%" "Garage Door=closed"
              hap home add automation Bedtime --at 22:30 --scene "Good Night"
              hap home add user Anna
            """,
        subcommands: [
            HomeAddHome.self, HomeAddRoom.self, HomeAddZone.self, HomeAddGroup.self, HomeAddScene.self,
            HomeAddAutomation.self, HomeAddUser.self,
        ]
    )
}

/// The command `hap home add home`, which adds a home.
struct HomeAddHome: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Add a home; the first one is the primary one.",
        discussion: """
            EXAMPLE
              hap home add home "Kilgo House" --latitude 50.11 --longitude 8.68 --time-zone Europe/Berlin
            """
    )

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
    var name: String

    @OptionGroup var place: HomePlaceOptions
    @OptionGroup var controller: ControllerOptions

    private var options: HomeOptions { HomeOptions(controller) }

    func run() async throws {
        let settings = try place.settings()
        try await options.withStore { store in
            let name = try ObjectName(name)
            try await store.updateAndWarn { homes throws(HomeError) in
                let id = try homes.addHome(named: name)
                try homes.edit(id) { home throws(HomeError) in try settings.apply(to: &home) }
            }
            try options.report("Added the home \(name).")
        }
    }
}

/// The command `hap home add room`, which adds a room.
struct HomeAddRoom: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Add a room.",
        discussion: """
            EXAMPLE
              hap home add room Kitchen --zone "Ground Floor"
            """
    )

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp("A zone to add the room to.", valueName: "name"),
        completion: HomeCompletion.names(.zone)
    )
    var zone: [String] = []

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.edit { [name, zone] home throws(HomeError) in
            let room = try home.addRoom(named: ObjectName(name))
            for zone in zone {
                try home.addRoom(room, to: home.zone(named: zone).id)
            }
        }
        try options.report("Added the room \(name).")
    }
}

/// The command `hap home add zone`, which adds a zone of rooms.
struct HomeAddZone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone",
        abstract: "Add a zone with rooms.",
        discussion: """
            EXAMPLE
              hap home add zone "Living Area" "Living Room" Hall
            """
    )

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
    var name: String

    @Argument(help: ArgumentHelp("The rooms.", valueName: "room"), completion: HomeCompletion.names(.room))
    var rooms: [String] = []

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.edit { [name, rooms] home throws(HomeError) in
            var ids: [ObjectID<Room>] = []
            for room in rooms {
                ids.append(try home.room(named: room).id)
            }
            _ = try home.addZone(named: ObjectName(name), rooms: ids)
        }
        try options.report("Added the zone \(name).")
    }
}

/// The command `hap home add group`, which adds a group of services that are controlled together.
struct HomeAddGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Add a group of services.",
        discussion: """
            EXAMPLE
              hap home add group "Evening Lights" "Mood Light" "Window Light"
            """
    )

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
    var name: String

    @Argument(help: ArgumentHelp("The services.", valueName: "service"), completion: HomeCompletion.names(.service))
    var services: [String] = []

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.edit { [name, services] home throws(HomeError) in
            var ids: [ObjectID<HomeService>] = []
            for service in services {
                ids.append(try home.service(named: service).id)
            }
            _ = try home.addServiceGroup(named: ObjectName(name), services: ids)
        }
        try options.report("Added the group \(name).")
    }
}

/// The command `hap home add scene`, which adds a scene.
struct HomeAddScene: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene",
        abstract: "Add a scene; each action names services and a value, as for 'hap home set'.",
        discussion: """
            EXAMPLE
              hap home add scene Reading "Mood Light=40%" "Upstairs lights=off"
              hap home add scene "Coming Home" --kind homeArrival "Garage Light=on" "Front Door Lock=unlock"
            """
    )

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
    var name: String

    @Argument(help: ArgumentHelp("The actions.", valueName: "what=value"), completion: HomeCompletion.objects)
    var actions: [String] = []

    @Option(help: "The kind; a home has at most one scene of each kind except userDefined.")
    var kind: SceneKind = .userDefined

    @OptionGroup var options: HomeOptions

    func validate() throws {
        try HomeActionArgument.check(actions)
    }

    func run() async throws {
        try await options.edit { [name, kind, actions] home throws(HomeError) in
            _ = try home.addScene(
                named: ObjectName(name),
                kind: kind,
                actions: HomeActionArgument.actions(actions, in: home)
            )
        }
        try options.report("Added the scene \(name).")
    }
}

/// The command `hap home add user`, which adds a user.
struct HomeAddUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Add a person who uses the home; the first one is the owner.",
        discussion: """
            EXAMPLE
              hap home add user Anna
              hap home add user Ben --role administrator --remote
            """
    )

    @Argument(help: ArgumentHelp("The name.", valueName: "name"))
    var name: String

    @Option(help: "The role. Default: owner for the first user, member for others.")
    var role: UserRole?

    @Flag(help: "The user also controls the home from elsewhere.")
    var remote = false

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.edit { [name, role, remote] home throws(HomeError) in
            let role = role ?? (home.users.isEmpty ? .owner : .member)
            _ = try home.addUser(named: ObjectName(name), role: role, isRemote: remote)
        }
        try options.report("Added the user \(name).")
    }
}
