import ArgumentParser
import HomeModel
import HomeRuntime

/// The command `hap home move`, which moves an object to another room, zone or group.
struct HomeMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an accessory or a service into a room, a room into a zone, or a service into a group.",
        discussion: """
            A room can be in several zones, and a service in several groups. --out removes it from one of them.

            EXAMPLE
              hap home move accessory "Desk Lamp" Bedroom
              hap home move room Office "Ground Floor"
              hap home move room Bedroom Upstairs --out
              hap home move service "Mood Light" "Reading Lamps" --group
            """
    )

    @Argument(help: "The kind of object.")
    var kind: HomeObjectKind

    @Argument(help: .value("name", "Its name."), completion: HomeCompletion.named)
    var name: String

    @Argument(help: .value("to", "The room, zone or group."), completion: HomeCompletion.names(.room))
    var target: String

    @Flag(help: "Move a service into a group instead of a room.")
    var group = false

    @Flag(help: "Remove it from the zone or the group.")
    var out = false

    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard [.accessory, .service, .room].contains(kind) else {
            throw ValidationError("Only an accessory, a service or a room can be moved.")
        }
        guard !group || kind == .service else {
            throw ValidationError("Only a service can be in a group; leave out --group.")
        }
        guard !out || kind != .accessory else {
            throw ValidationError("An accessory cannot be in a zone or a group; leave out --out.")
        }
    }

    func run() async throws {
        try await options.edit { [self] home throws(HomeError) in
            switch (kind, out) {
            case (.room, false): try home.addRoom(home.room(named: name).id, to: home.zone(named: target).id)
            case (.room, true): try home.removeRoom(home.room(named: name).id, from: home.zone(named: target).id)
            case (.accessory, _):
                try home.moveAccessory(home.accessory(named: name).id, to: home.room(named: target).id)
            case (.service, _) where !group && !out:
                try home.moveService(home.service(named: name).id, to: home.room(named: target).id)
            case (.service, false):
                try home.addService(home.service(named: name).id, to: home.serviceGroup(named: target).id)
            case (.service, true):
                try home.removeService(home.service(named: name).id, from: home.serviceGroup(named: target).id)
            case (.home, _), (.zone, _), (.group, _), (.scene, _), (.automation, _), (.user, _): break
            }
        }
        try options.report(out ? "\(name) is no longer in \(target)." : "\(name) is now in \(target).")
    }
}
