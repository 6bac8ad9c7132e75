import AccessoryModel
import ArgumentParser
import Documents
import HomeModel
import Resources

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

    @Argument(
        help: .value(
            "what",
            "homes, rooms, zones, groups, scenes, automations, accessories, services or users; or services, as in a "
                + "phrase. Default: all kinds."
        ),
        completion: .list(HomeObjectKind.allCases.map(\.plural))
    )
    var words: [String] = []

    @OptionGroup var options: HomeOptions

    func run() async throws {
        let homes = try await options.homes().homes
        let described = words.joined(separator: " ")
        let named = HomeObjectKind(described: described)
        let only = words.isEmpty ? nil : named ?? .service
        let home = only == .home ? nil : try options.home(in: homes)
        let kinds = only.map { [$0] } ?? HomeObjectKind.allCases.filter { $0 != .home }
        var lists = kinds.map { kind in
            let names = home?.names(of: kind) ?? homes.homes.map(\.name)
            return (kind, names.map(\.text))
        }
        if let home, !words.isEmpty, named == nil {
            lists = [(.service, try home.services(describedBy: described).map(\.name.text))]
        }
        let text = lists.filter { !$0.1.isEmpty }
            .map { kind, names in
                let lines = names.map { "\(only == nil ? "  " : "")\($0.escapingControlCharacters)\n" }.joined()
                let title = "\(kind.plural.prefix(1).uppercased())\(kind.plural.dropFirst())\n"
                return only == nil ? title + lines : lines
            }
        let none = only.map { "There are no \($0.plural).\n" } ?? "The home is empty.\n"
        let names = Dictionary(lists) { first, _ in first }
        try options.controller.write(text.isEmpty ? none : text.joined(), names, Self.format)
    }

    /// The names of the objects of some kinds.
    static let format = Format<[HomeObjectKind: [String]]>(
        response: "ObjectNames",
        properties: HomeObjectKind.allCases.map { kind in
            .custom(
                kind.plural,
                "The names of the \(kind.plural).",
                schema: names.schema,
                write: { lists, _ in lists[kind].map(names.write) }
            )
        }
    )

    private static let names = Format<[String]>.list(of: .string)
}

extension HomeObjectKind {
    /// Parses a kind: singular or plural, optionally with "the".
    fileprivate init?(described text: String) {
        let text = SpokenName.withoutArticle(text).lowercased()
        guard let kind = Self.allCases.first(where: { [$0.plural, $0.rawValue].contains(text) }) else { return nil }
        self = kind
    }
}
