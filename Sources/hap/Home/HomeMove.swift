import ArgumentParser
import HomeModel
import HomeRuntime

/// `hap home move`: puts something elsewhere.
struct HomeMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract:
            "Move an accessory or a service into a room, a room into a zone, a service into a group; make a home primary.",
        discussion: """
            A room may be in several zones and a service in several groups: --out takes it out again.

            EXAMPLE
              hap home move accessory "Desk Lamp" Bedroom
              hap home move room Office "Ground Floor"
              hap home move room Bedroom Upstairs --out
              hap home move service "Mood Light" "Reading Lamps" --group
              hap home move home "Kilgo House" --first
            """
    )

    /// What can be put elsewhere.
    enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable {
        case accessory, service, room, home
    }

    @Argument(help: "What it is.")
    var kind: Kind

    @Argument(help: ArgumentHelp("Its name.", valueName: "name"), completion: HomeCompletion.named)
    var name: String

    @Argument(help: ArgumentHelp("Where it goes.", valueName: "to"), completion: HomeCompletion.names(.room))
    var target: String?

    @Flag(help: "A service goes into a group instead of a room.")
    var group = false

    @Flag(help: "Take it out of the zone or the group.")
    var out = false

    @Flag(help: "Make a home the primary one.")
    var first = false

    @OptionGroup var options: HomeOptions

    func validate() throws {
        if group, kind != .service { throw ValidationError("Only a service goes into a group; leave out --group.") }
        if first, kind != .home { throw ValidationError("Only a home is made the primary one; leave out --first.") }
        if out, kind == .home || kind == .accessory {
            throw ValidationError(
                "\(kind == .home ? "A home" : "An accessory") is in nothing that it could be taken out of; leave out --out."
            )
        }
        switch kind {
        case .home:
            try options.refuseHomeOption(because: "The home is named already")
            if !first || target != nil { throw ValidationError("A home can be made the primary one, with --first.") }
        case .room, .accessory, .service:
            if target == nil { throw ValidationError("Name where it goes.") }
        }
    }

    func run() async throws {
        let target = target ?? ""
        if kind == .home {
            try await options.withStore { store in
                try await store.update { [name] homes throws(HomeError) in
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
        try options.report(out ? "\(name) is not in \(target) any more." : "\(name) is now in \(target).")
    }
}

/// `hap home assign`: in which room a service is.
struct HomeAssign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign",
        abstract: "Put a service into a room, which may be another than its accessory's.",
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
