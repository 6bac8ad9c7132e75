import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Resources

/// The command `hap home show`, which shows the homes.
struct HomeShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the homes, or one object: a room, a zone, a group, a scene, an automation, a service, a user.",
        discussion: """
            Without a name, the homes are shown with their rooms, services, zones, groups, scenes, automations and \
            users. A kind before the name, such as scene, selects one of several objects with the same name.

            EXAMPLE
              hap home
              hap home show Movie Time
              hap home show automation Light the Garage
              hap home show --home "Kilgo House" --json
            """
    )

    @Argument(help: .value("name", "The name of an object. Default: the homes."), completion: HomeCompletion.objects)
    var words: [String] = []

    @OptionGroup var options: HomeOptions

    func validate() throws {
        // Without "show", which is the default, a word is meant as a command.
        if !words.isEmpty, let unknown = UnknownCommand.find(in: CommandContext.current.arguments) {
            throw ValidationError(unknown.message)
        }
    }

    func run() async throws {
        let (homes, location) = try await options.homes()
        guard words.isEmpty else {
            let home = try options.home(in: homes)
            let found = try home.descriptions(ofObjectsNamed: words.joined(separator: " "))
            let lines = found.flatMap { ["\($0.kind) \($0.name)"] + $0.lines.map { "  \($0)" } }
            return try options.controller.write(
                lines.map { "\($0.escapingControlCharacters)\n" }.joined(),
                HomesResource(found),
                HomesResource.format
            )
        }
        let shown = try options.homeName == nil ? homes.homes : [options.home(in: homes)]
        let paired = location.isServed || shown.isEmpty ? nil : try await options.pairedServersIfReadable()
        let texts = shown.map { HomeListing.text(of: $0, isPrimary: $0.id == homes.primary, paired: paired) }
        let none = "There is no home yet; add one with hap home add home NAME.\n"
        try options.controller.write(
            shown.isEmpty ? none : texts.joined(separator: "\n"),
            HomesResource(shown.map { HomeResource($0, isPrimary: $0.id == homes.primary, paired: paired) }),
            HomesResource.format
        )
    }
}

/// A listing of a home as text.
enum HomeListing {
    /// Returns the home as an indented tree.
    ///
    /// - Parameters:
    ///   - home: The home.
    ///   - isPrimary: Whether it is the primary home.
    ///   - paired: The servers that the controller is paired with, or `nil` to show no information about pairings.
    static func text(of home: Home, isPrimary: Bool, paired: Set<DeviceID>? = nil) -> String {
        var lines = ["\(home.name)\(isPrimary ? " (primary)" : "")"]
        let index = HomeIndex(home)
        let shown = home.visibleServicesByRoom
        // An accessory without visible services has a row of its own.
        let bare = Dictionary(
            grouping: home.accessories.lazy.filter { !$0.services.contains(where: \.isVisible) },
            by: \.room
        )
        for room in home.rooms + [.entireHome] {
            let (services, bare) = (shown[room.id] ?? [], bare[room.id] ?? [])
            guard room.id != .entireHome || !services.isEmpty || !bare.isEmpty else { continue }
            lines.append("  \(room.name)")
            let rows = services.map { row(of: $0, in: index, paired) } + bare.map { row(of: $0, paired) }
            lines += TextTable.lines(rows, indentation: 4)
        }
        add("Zones", home.zones.map { [$0.name.text, index.names(of: $0.rooms).joined(separator: ", ")] })
        add(
            "Groups",
            home.serviceGroups.map { group in
                [group.name.text, group.services.compactMap { index.service($0)?.name.text }.joined(separator: ", ")]
            }
        )
        add(
            "Scenes",
            home.scenes.map { [$0.name.text, $0.actions.map { index.text(of: $0) }.joined(separator: ", ")] }
        )
        add("Automations", home.automations.map { [$0.name.text, index.text(of: $0)] })
        let users = home.users.map { user in
            [user.name.text, user.role.rawValue, user.isHome.map { $0 ? "home" : "away" } ?? ""]
        }
        add("Users", users)
        return lines.map { "\($0.escapingControlCharacters)\n" }.joined()

        func add(_ title: String, _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            lines.append("  \(title)")
            lines += TextTable.lines(rows, indentation: 4)
        }
    }

    private static func row(of service: HomeService, in home: HomeIndex, _ paired: Set<DeviceID>?) -> [String] {
        let accessory = home.accessory(of: service.id)
        let absence = accessory?.absenceReason(from: paired) ?? ""
        return [service.name.text, service.effectiveType.description, accessory?.name.text ?? "", absence]
    }

    private static func row(of accessory: HomeAccessory, _ paired: Set<DeviceID>?) -> [String] {
        let kind = accessory.category.map { $0 == .other ? "" : $0.description } ?? ""
        return [accessory.name.text, kind, "", accessory.absenceReason(from: paired) ?? "no visible service"]
    }
}

extension HomeAccessory {
    /// Returns why the accessory cannot be reached, as far as this is known without the network.
    fileprivate func absenceReason(from paired: Set<DeviceID>?) -> String? {
        if isPlaceholder { return "not found yet" }
        return paired.flatMap(isPaired) == false ? "not paired" : nil
    }
}
