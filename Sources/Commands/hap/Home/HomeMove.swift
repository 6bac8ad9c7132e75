import ArgumentParser
import HomeModel
import HomeRuntime

/// The command `hap home move`, which moves an object to another room, zone or group.
struct HomeMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract:
            "Move an accessory or a service into a room, a room into a zone, a service into a group; make a home "
            + "primary.",
        discussion: """
            A room can be in several zones, and a service in several groups. --out removes it from one of them.

            EXAMPLE
              hap home move accessory "Desk Lamp" Bedroom
              hap home move room Office "Ground Floor"
              hap home move room Bedroom Upstairs --out
              hap home move service "Mood Light" "Reading Lamps" --group
              hap home move home "Kilgo House" --first
            """
    )

    /// The kinds of objects that can be moved.
    enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable {
        case accessory, service, room, home
    }

    @Argument(help: "The kind of object.")
    var kind: Kind

    @Argument(help: ArgumentHelp("Its name.", valueName: "name"), completion: HomeCompletion.named)
    var name: String

    @Argument(help: ArgumentHelp("The room, zone or group.", valueName: "to"), completion: HomeCompletion.names(.room))
    var target: String?

    @Flag(help: "Move a service into a group instead of a room.")
    var group = false

    @Flag(help: "Remove it from the zone or the group.")
    var out = false

    @Flag(help: "Make a home the primary one.")
    var first = false

    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        if group, kind != .service { throw ValidationError("Only a service can be in a group; leave out --group.") }
        if first, kind != .home { throw ValidationError("Only a home can be the primary one; leave out --first.") }
        if out, kind == .home || kind == .accessory {
            throw ValidationError(
                "\(kind == .home ? "A home" : "An accessory") cannot be in a zone or a group; leave out --out."
            )
        }
        switch kind {
        case .home:
            try options.refuseHomeOption(because: "The home is already given as the name")
            try options.useStoredHomes(because: "Only a stored home can be made primary")
            if !first || target != nil { throw ValidationError("A home can only be made primary; write --first.") }
        case .room, .accessory, .service:
            if target == nil { throw ValidationError("The target is missing; name a room, zone or group.") }
        }
    }

    func run() async throws {
        let target = target ?? ""
        if kind == .home {
            try await options.withHomes { selected in
                try await selected.store.update { [name] homes throws(HomeError) in
                    try homes.setPrimary(homes.home(named: name).id)
                }
            }
            return try options.report("\(name) is now the primary home.")
        }
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
            case (.home, _): break
            }
        }
        try options.report(out ? "\(name) is no longer in \(target)." : "\(name) is now in \(target).")
    }
}

/// The command `hap home assign`, which assigns a service to a room.
struct HomeAssign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign",
        abstract: "Move a service into a room, which may differ from the room of its accessory.",
        discussion: """
            EXAMPLE
              hap home assign "Garage Light" Hall
            """
    )

    @Argument(help: ArgumentHelp("The service.", valueName: "service"), completion: HomeCompletion.names(.service))
    var service: String

    @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: HomeCompletion.names(.room))
    var room: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.edit { [service, room] home throws(HomeError) in
            try home.moveService(home.service(named: service).id, to: home.room(named: room).id)
        }
        try options.report("\(service) is now in \(room).")
    }
}
