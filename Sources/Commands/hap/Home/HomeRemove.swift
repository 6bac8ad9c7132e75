import ArgumentParser
import HomeModel

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

    @Argument(help: "The kind of object.")
    var kind: HomeObjectKind

    @Argument(help: .value("name", "Its name."), completion: HomeCompletion.named)
    var name: String

    @Flag(help: "Change nothing, and print what would change.")
    var dryRun = false

    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        if kind == .service { throw ValidationError("A service is removed with its accessory; remove the accessory.") }
        if kind == .home {
            try options.refuseHomeOption(because: "NAME is the home")
            try options.useStoredHomes(because: "A served home ends with its file")
        }
    }

    func run() async throws {
        var options = options
        if kind == .home { options.homeName = name }
        let effects = try await options.editHomes(isDryRun: dryRun) { homes, id throws(HomeError) in
            if kind == .home { return try homes.removeHome(id) }
            return try homes.edit(id) { home throws(HomeError) in try home.remove(kind, named: name) }
        }
        try options.report(
            dryRun
                ? "The \(kind.rawValue) \(name) would be removed; nothing was changed. Effects:"
                : "Removed the \(kind.rawValue) \(name).",
            effects.map(\.description)
        )
    }
}
