import AccessoryModel
import ArgumentParser
import HAPCore
import HomeModel

/// The command `hap home list`, which lists the names of objects.
struct HomeList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the names of the rooms, scenes, automations or other objects of a home.",
        discussion: """
            Without a kind, all kinds are listed. Instead of a kind, name services as in a phrase to list these.

            EXAMPLE
              hap home list
              hap home list rooms
              hap home list lights upstairs
              hap home list automations --json
            """,
        aliases: ["ls"]
    )

    /// The kinds of objects, in the plural.
    enum Kind: String, CaseIterable, Sendable {
        case homes, rooms, zones, groups, scenes, automations, accessories, services, users

        /// Also accepts the singular, and "the" before the kind.
        init?(_ text: String) {
            let text = SpokenName.withoutArticle(text).lowercased()
            let kind = Self.allCases.first { kind in
                kind.rawValue == text || kind.rawValue == text + "s" || kind == .accessories && text == "accessory"
            }
            guard let kind else { return nil }
            self = kind
        }
    }

    @Argument(
        help: ArgumentHelp(
            "homes, rooms, zones, groups, scenes, automations, accessories, services or users; or services, as in a "
                + "phrase. Default: all kinds.",
            valueName: "what"
        ),
        completion: .list(Kind.allCases.map(\.rawValue))
    )
    var words: [String] = []

    @OptionGroup var options: HomeOptions

    func run() async throws {
        let homes = try await options.homes().homes
        let described = words.joined(separator: " ")
        let only = words.isEmpty ? nil : Kind(described) ?? .services
        let home = only == .homes ? nil : try options.home(in: homes)
        let kinds = only.map { [$0] } ?? Kind.allCases.filter { $0 != .homes }
        var lists = kinds.map { ($0, Self.names($0, of: home, in: homes)) }
        if let home, !words.isEmpty, Kind(described) == nil {
            let services = try withCommandFailures { () throws(HomeError) in try home.services(describedBy: described) }
            lists = [(.services, services.map(\.name.text))]
        }
        let text = lists.filter { !$0.1.isEmpty }
            .map { kind, names in
                let lines = names.map { "\(only == nil ? "  " : "")\($0.escapingControlCharacters)\n" }.joined()
                return only == nil
                    ? "\(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst())\n\(lines)" : lines
            }
        let none = only.map { "There are no \($0.rawValue).\n" } ?? "The home is empty.\n"
        try options.controller.write(text.isEmpty ? none : text.joined()) { writer in
            for (kind, names) in lists { writer.member(kind.rawValue, names) }
        }
    }

    private static func names(_ kind: Kind, of home: Home?, in homes: Homes) -> [String] {
        guard let home else { return homes.homes.map(\.name.text) }
        return switch kind {
        case .homes: homes.homes.map(\.name.text)
        case .rooms: home.rooms.map(\.name.text)
        case .zones: home.zones.map(\.name.text)
        case .groups: home.serviceGroups.map(\.name.text)
        case .scenes: home.scenes.map(\.name.text)
        case .automations: home.automations.map(\.name.text)
        case .accessories: home.accessories.map(\.name.text)
        case .services: home.visibleServices.map(\.service.name.text)
        case .users: home.users.map(\.name.text)
        }
    }
}
