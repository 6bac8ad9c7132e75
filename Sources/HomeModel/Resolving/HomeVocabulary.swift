internal import AccessoryModel

/// Everyday words for service types and properties, in addition to Apple's names.
enum HomeVocabulary {
    /// The service types for a word or several words, by key, in singular and plural.
    static let types: [String: [ServiceType]] = {
        var types: [String: [ServiceType]] = [:]
        for service in Catalog.services where service.type != .accessoryInformation {
            for name in [service.name, service.id] {
                add(service.type, named: name, to: &types)
            }
        }
        for (word, meant) in Catalog.everydayNames {
            for type in meant {
                add(type, named: word, to: &types)
            }
        }
        return types
    }()

    /// The service types for a word or several words, by key, and whether the word is a plural.
    static let spokenTypes: [String: (types: [ServiceType], isPlural: Bool)] = {
        var spoken: [String: (types: [ServiceType], isPlural: Bool)] = [:]
        for (key, types) in types {
            let singulars = ["s", "es"].filter(key.hasSuffix).map { String(key.dropLast($0.count)) }
            spoken[key] = (types, singulars.contains { HomeVocabulary.types[$0] != nil })
        }
        return spoken
    }()

    /// The names of the properties in lamps, fans, thermostats and coverings, for suggestions.
    static let propertyNames = [
        "brightness", "color", "hue", "saturation", "speed", "temperature", "humidity", "position",
    ]

    /// The properties for a word or several words, by key, the most likely one first.
    static let properties: [String: [CharacteristicType]] = {
        var properties: [String: [CharacteristicType]] = [:]
        for characteristic in Catalog.characteristics {
            for name in [characteristic.name, characteristic.id] {
                properties[ObjectName.key(of: name), default: []].append(characteristic.type)
            }
        }
        let words: [(String, [CharacteristicType])] = [
            ("color", [.hue]), ("colour", [.hue]), ("speed", [.rotationSpeed]), ("temperature", [.targetTemperature]),
            ("humidity", [.targetRelativeHumidity, .relativeHumidityHumidifierThreshold]),
            ("position", [.targetPosition]),
        ]
        for (word, meant) in words {
            properties[word, default: []] += meant
        }
        return properties
    }()

    private static func add(_ type: ServiceType, named name: String, to types: inout [String: [ServiceType]]) {
        let key = ObjectName.key(of: name)
        let plural = key.hasSuffix("s") || key.hasSuffix("h") ? key + "es" : key + "s"
        for word in [key, plural] where types[word]?.contains(type) != true {
            types[word, default: []].append(type)
        }
    }
}
