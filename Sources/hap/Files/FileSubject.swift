import AccessoryFiles

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
            } else if isNamedAsConfiguration || !keys.isDisjoint(with: Self.configurationKeys) {
                .configuration
            } else if keys.contains("scenario") {
                .scenario
            } else if !keys.isDisjoint(with: ["home", "homes", "rooms"]) {
                .home
            } else {
                .accessory
            }
    }

    /// Those that a configuration shares with no other file.
    private static let configurationKeys = Set(ConfigurationFile.keys).subtracting(["home", "scenario", "seed"])
}
