extension Catalog {
    /// The everyday words, in the singular, with the services that they refer to.
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

    /// Returns the services that an everyday word refers to; the word is in the singular or has a plural `s`.
    ///
    /// `dimmer` refers to Lightbulb here, but to Brightness in a phrase about a home.
    package static func services(named word: String) -> [ServiceDefinition] {
        let text = word.lowercased()
        let words = [text, text.hasSuffix("s") ? String(text.dropLast()) : text]
        if words.contains("dimmer") { return [service(.lightbulb)].compactMap(\.self) }
        return everydayNames.first { words.contains($0.word) }?.types.compactMap { service($0) } ?? []
    }
}
