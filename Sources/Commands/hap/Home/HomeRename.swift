import ArgumentParser
import HomeModel

/// The command `hap home rename`, which renames an object.
struct HomeRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a home, room, zone, group, scene, automation, accessory, service or user.",
        discussion: """
            EXAMPLE
              hap home rename room Office Study
              hap home rename service "Desk Lamp" "Writing Lamp"
            """
    )

    @Argument(help: "The kind of object.")
    var kind: HomeObjectKind

    @Argument(help: .value("name", "Its current name."), completion: HomeCompletion.named)
    var name: String

    @Argument(help: .value("new", "Its new name."))
    var new: String

    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        if kind == .home {
            try options.refuseHomeOption(because: "NAME is the home")
            try options.useStoredHomes(because: "A served home is renamed in its file")
        }
    }

    func run() async throws {
        let new = try ObjectName(self.new)
        var options = options
        if kind == .home { options.homeName = name }
        try await options.editHomes { homes, id throws(HomeError) in
            if kind == .home {
                try homes.renameHome(id, to: new)
            } else {
                try homes.edit(id) { home throws(HomeError) in try Self.rename(kind, name, to: new, in: &home) }
            }
        }
        try options.report("\(name) is now called \(new).")
    }

    private static func rename(
        _ kind: HomeObjectKind,
        _ name: String,
        to new: ObjectName,
        in home: inout Home
    ) throws(HomeError) {
        switch kind {
        case .home: break
        case .room: try home.renameRoom(home.room(named: name).id, to: new)
        case .zone: try home.renameZone(home.zone(named: name).id, to: new)
        case .group: try home.renameServiceGroup(home.serviceGroup(named: name).id, to: new)
        case .scene: try home.renameScene(home.scene(named: name).id, to: new)
        case .automation: try home.renameAutomation(home.automation(named: name).id, to: new)
        case .accessory: try home.renameAccessory(home.accessory(named: name).id, to: new)
        case .service: try home.renameService(home.service(named: name).id, to: new)
        case .user: try home.renameUser(home.user(named: name).id, to: new)
        }
    }
}
