import AccessoryFiles

/// What a file tells of, by the keys at its top and, for a configuration that says nothing, by its name.
enum FileSubject: String, Sendable {
    case accessory, scenario, home, configuration

    init(_ content: [UInt8], path: String) {
        let texts = AccessoryFile.topTexts(of: content, name: path)
        let keys = Set(texts.keys)
        let isNamedAsConfiguration = path.split(separator: "/").last == "hap.yaml"
        self =
            if !keys.isDisjoint(with: ["accessory", "bridge", "services"]) {
                .accessory
            } else if keys.contains("steps") {
                .scenario
            } else if isNamedAsConfiguration || Self.namesFiles(texts)
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
    private static func namesFiles(_ texts: [String: String?]) -> Bool {
        let titles = ["home", "scenario"].filter(texts.keys.contains)
        guard !titles.isEmpty, texts.keys.allSatisfy({ !["steps", "rooms", "accessories"].contains($0) }) else {
            return false
        }
        return titles.allSatisfy { title in
            let name = texts[title]??.lowercased() ?? ""
            return [".yaml", ".yml", ".json"].contains(where: name.hasSuffix)
        }
    }

    /// Those that a configuration shares with no other file.
    private static let configurationKeys = Set(ConfigurationFile.keys).subtracting(["home", "scenario", "seed"])
}
