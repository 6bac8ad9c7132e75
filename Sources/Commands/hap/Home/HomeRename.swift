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
                try homes.edit(id) { home throws(HomeError) in try home.rename(kind, named: name, to: new) }
            }
        }
        try options.report("\(name) is now called \(new).")
    }
}
