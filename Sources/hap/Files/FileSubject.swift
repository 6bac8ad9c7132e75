import AccessoryFiles
import Yams

/// What a file tells of, by the keys at its top and, for a configuration that says nothing, by its name.
enum FileSubject: String, Sendable {
    case accessory, scenario, home, configuration

    init(_ content: [UInt8], path: String) {
        let keys = AccessoryFile.topKeys(of: content, name: path)
        let isNamedAsConfiguration = path.split(separator: "/").last == "hap.yaml"
        self =
            if !keys.isDisjoint(with: ["accessory", "bridge", "services"]) {
                .accessory
            } else if keys.contains("steps") {
                .scenario
            } else if isNamedAsConfiguration || Self.namesFiles(content, keys)
                || !keys.isDisjoint(with: Self.configurationKeys)
            {
                .configuration
            } else if keys.contains("scenario") {
                .scenario
            } else if !keys.isDisjoint(with: ["home", "homes", "rooms"]) {
                .home
            } else {
                .accessory
            }
    }

    /// Whether what is a title elsewhere is the name of a file, as in a configuration.
    ///
    /// No home can be called so, and a scenario has steps.
    private static func namesFiles(_ content: [UInt8], _ keys: Set<String>) -> Bool {
        let titles = keys.intersection(["home", "scenario"])
        guard !titles.isEmpty, keys.isDisjoint(with: ["steps", "rooms", "accessories"]) else { return false }
        // Without aliases, which can stand for more than can be composed.
        let text = String(decoding: content, as: UTF8.self).replacing("*", with: "_")
        guard let mapping = try? Yams.compose(yaml: text)?.mapping else { return false }
        return titles.allSatisfy { title in
            let name = mapping[title]?.string?.lowercased() ?? ""
            return [".yaml", ".yml", ".json"].contains(where: name.hasSuffix)
        }
    }

    /// Those that a configuration shares with no other file.
    private static let configurationKeys = Set(ConfigurationFile.keys).subtracting(["home", "scenario", "seed"])
}
