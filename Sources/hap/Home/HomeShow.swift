import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRuntime

/// `hap home show`: what there is.
struct HomeShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the homes: rooms with what is in them, zones, groups, scenes, automations, users.",
        discussion: """
            EXAMPLE
              hap home
              hap home show --home "Kilgo House" --json
            """
    )

    @OptionGroup var servedOption: HomeServedOption
    @OptionGroup var options: HomeOptions

    func run() async throws {
        let homes = try await options.homes(served: servedOption.served)
        let shown = try options.homeName == nil ? homes.homes : [options.home(in: homes)]
        let paired = servedOption.served || shown.isEmpty ? nil : try await options.pairedServersIfReadable()
        let texts = shown.map { HomeListing.text(of: $0, isPrimary: $0.id == homes.primary, paired: paired) }
        let none = "There is no home yet; add one with hap home add home NAME.\n"
        try options.controller.write(shown.isEmpty ? none : texts.joined(separator: "\n")) { writer in
            HomeListing.write(shown, primary: homes.primary, paired: paired, to: &writer)
        }
    }
}

/// A home as a tree that people can read.
enum HomeListing {
    /// The tree.
    ///
    /// - Parameter paired: The servers that the controller is paired with; `nil` where that is not asked.
    static func text(of home: Home, isPrimary: Bool, paired: Set<DeviceID>? = nil) -> String {
        var lines = ["\(home.name)\(isPrimary ? " (primary)" : "")"]
        let shown = home.visibleServices
        for room in home.rooms + [.entireHome] {
            let services = shown.filter { $0.room == room.id }.map(\.service)
            // Of what shows no service people see the accessory.
            let bare = home.accessories.filter { $0.room == room.id && !$0.services.contains(where: \.isVisible) }
            guard room.id != .entireHome || !services.isEmpty || !bare.isEmpty else { continue }
            lines.append("  \(room.name)")
            let rows = services.map { row(of: $0, in: home, paired) } + bare.map { row(of: $0, paired) }
            lines += TextTable.lines(rows, indentation: 4)
        }
        add("Zones", home.zones.map { [$0.name.text, home.names(of: $0.rooms).joined(separator: ", ")] })
        add(
            "Groups",
            home.serviceGroups.map { group in
                [group.name.text, group.services.compactMap { home.service($0)?.name.text }.joined(separator: ", ")]
            }
        )
        add("Scenes", home.scenes.map { [$0.name.text, $0.actions.map { home.text(of: $0) }.joined(separator: ", ")] })
        add("Automations", home.automations.map { [$0.name.text, home.text(of: $0)] })
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

    private static func row(of service: HomeService, in home: Home, _ paired: Set<DeviceID>?) -> [String] {
        let accessory = home.accessory(of: service.id)
        let absence = accessory?.absenceReason(from: paired) ?? ""
        return [service.name.text, service.effectiveType.description, accessory?.name.text ?? "", absence]
    }

    private static func row(of accessory: HomeAccessory, _ paired: Set<DeviceID>?) -> [String] {
        let kind = accessory.category.map { $0 == .other ? "" : $0.description } ?? ""
        return [accessory.name.text, kind, "", accessory.absenceReason(from: paired) ?? "shows no service"]
    }
}

extension HomeAccessory {
    /// Why it cannot be asked, as far as that is known without a look at the network.
    fileprivate func absenceReason(from paired: Set<DeviceID>?) -> String? {
        if isPlaceholder { return "not found yet" }
        return paired.flatMap(isPaired) == false ? "not paired" : nil
    }
}

extension Home {
    /// How many automations may run, in words.
    var automationCountText: String {
        let count = automations.count { $0.isEnabled }
        return count == 1 ? "1 automation" : "\(count) automations"
    }
}
