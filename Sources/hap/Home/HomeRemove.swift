import ArgumentParser
import HomeModel

/// `hap home remove`: takes something out of a home.
struct HomeRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a home, room, zone, group, scene, automation, accessory or user, and say what comes of it.",
        discussion: """
            An accessory stays paired; 'hap unpair' ends that. What is in a room that is removed goes to the room for the \
            entire home.

            EXAMPLE
              hap home remove room Office
              hap home remove scene "Movie Time"
            """
    )

    @Argument(help: "What it is.")
    var kind: HomeKind

    @Argument(help: ArgumentHelp("Its name.", valueName: "name"), completion: HomeCompletion.named)
    var name: String

    @OptionGroup var options: HomeOptions

    func validate() throws {
        if kind == .service {
            throw ValidationError("A service is its accessory's; remove the accessory.")
        }
    }

    func run() async throws {
        let consequences: [Consequence]
        if kind == .home {
            consequences = try await options.withLibrary { library in
                try await library.edit { [name] homes throws(HomeError) in
                    try homes.removeHome(homes.home(named: name).id)
                }
            }
        } else {
            consequences =
                try await options.edit { [kind, name] home throws(HomeError) in
                    try Self.remove(kind, name, from: &home)
                }
                .0
        }
        try options.report("Removed the \(kind.rawValue) \(name).", consequences)
    }

    private static func remove(
        _ kind: HomeKind,
        _ name: String,
        from home: inout Home
    ) throws(HomeError) -> [Consequence] {
        switch kind {
        case .home, .service: return []
        case .room: return try home.removeRoom(home.room(named: name).id)
        case .zone: try home.removeZone(home.zone(named: name).id)
        case .group: try home.removeServiceGroup(home.serviceGroup(named: name).id)
        case .scene: return try home.removeScene(home.scene(named: name).id)
        case .automation: try home.removeAutomation(home.automation(named: name).id)
        case .accessory: return try home.removeAccessory(home.accessory(named: name).id)
        case .user: return try home.removeUser(home.user(named: name).id)
        }
        return []
    }
}
