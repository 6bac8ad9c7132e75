import ArgumentParser
import HomeModel
import HomeRuntime

/// The command `hap home remove`, which removes an object from a home.
struct HomeRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a home, room, zone, group, scene, automation, accessory or user, and print the effects.",
        discussion: """
            An accessory stays paired; 'hap unpair' removes its pairing. The accessories and services of a removed \
            room move to the room for the entire home.

            EXAMPLE
              hap home remove room Office
              hap home remove accessory "Kilgo Garage" --dry-run
              hap home remove scene "Movie Time"
            """
    )

    /// The kinds of objects that can be removed.
    ///
    /// A service is removed with its accessory.
    enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable {
        case home, room, zone, group, scene, automation, accessory, user
    }

    @Argument(help: "The kind of object.")
    var kind: Kind

    @Argument(help: ArgumentHelp("Its name.", valueName: "name"), completion: HomeCompletion.named)
    var name: String

    @Flag(help: "Change nothing, and print what would change.")
    var dryRun = false

    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        if kind == .home {
            try options.refuseHomeOption(because: "The home is already given as the name")
            try options.useStoredHomes(because: "A served home ends with its file")
        }
    }

    func run() async throws {
        let consequences =
            if dryRun {
                try await options.withHomes { selected in
                    var homes = try await selected.store.homes().homes
                    let id = try kind == .home ? homes.home(named: name).id : options.home(in: homes).id
                    return try homes.transaction { homes throws(HomeError) in
                        if kind == .home { return try homes.removeHome(id) }
                        return try homes.edit(id) { home throws(HomeError) in
                            try Self.remove(kind, name, from: &home)
                        }
                    }
                }
            } else if kind == .home {
                try await options.withHomes { selected in
                    try await selected.store.update { [name] homes throws(HomeError) in
                        try homes.removeHome(homes.home(named: name).id)
                    }
                }
            } else {
                try await options.edit { [kind, name] home throws(HomeError) in
                    try Self.remove(kind, name, from: &home)
                }
                .0
            }
        try options.report(
            dryRun
                ? "The \(kind.rawValue) \(name) would be removed; nothing was changed. Effects:"
                : "Removed the \(kind.rawValue) \(name).",
            consequences
        )
    }

    private static func remove(
        _ kind: Kind,
        _ name: String,
        from home: inout Home
    ) throws(HomeError) -> [EditEffect] {
        switch kind {
        case .home: return []
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
