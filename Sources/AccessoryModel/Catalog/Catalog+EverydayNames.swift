extension Catalog {
    /// Words of everyday language, in the singular, with the services that they refer to.
    package static let everydayNames: [(word: String, types: [ServiceType])] = [
        ("light", [.lightbulb]), ("lamp", [.lightbulb]), ("bulb", [.lightbulb]), ("lighting", [.lightbulb]),
        ("plug", [.outlet]), ("socket", [.outlet]), ("fan", [.fan, .fanv2]),
        ("garage door", [.garageDoorOpener]), ("garage", [.garageDoorOpener]),
        ("door", [.door, .garageDoorOpener]), ("lock", [.lockMechanism]),
        ("blind", [.windowCovering]), ("shade", [.windowCovering]), ("curtain", [.windowCovering]),
        ("covering", [.windowCovering]), ("shutter", [.windowCovering]), ("heater", [.heaterCooler, .thermostat]),
        ("heating", [.thermostat, .heaterCooler]), ("sprinkler", [.irrigationSystem, .valve]),
        ("alarm", [.securitySystem]), ("tv", [.television]),
    ]

    /// The services that a word of everyday language refers to, in the singular or with a plural `s`.
    ///
    /// `dimmer` refers to Lightbulb here, but to Brightness in a phrase about a home.
    package static func services(named word: String) -> [ServiceDefinition] {
        let text = word.lowercased()
        let words = [text, text.hasSuffix("s") ? String(text.dropLast()) : text]
        if words.contains("dimmer") { return [service(.lightbulb)].compactMap(\.self) }
        return everydayNames.first { words.contains($0.word) }?.types.compactMap { service($0) } ?? []
    }
}
