internal import HAPCore

/// Apple's catalog of characteristic and service types.
///
/// The tables are generated from `characteristics.json` and `services.json` by `swift run CatalogGenerator`. The tables
/// and the lookups are created when they are first used. Vendors' types are not included.
///
/// ```swift
/// Catalog.characteristic(.currentDoorState)?.metadata.maximum     // 4
/// Catalog.characteristic(named: "current door state")?.type       // .currentDoorState
/// ```
public enum Catalog {
    /// Every characteristic type, by id.
    public static let characteristics: [CharacteristicDefinition] = [
        characteristicsAToB, characteristicsC, characteristicsDToK, characteristicsLToO, characteristicsPToR,
        characteristicsS, characteristicsTToZ,
    ]
    .flatMap(\.self)

    /// Every service type, by id.
    public static let services: [ServiceDefinition] = [servicesAToK, servicesLToZ].flatMap(\.self)

    /// Returns the definition of a characteristic type, or `nil` for a vendor's type.
    public static func characteristic(_ type: CharacteristicType) -> CharacteristicDefinition? {
        characteristicsByType[type.uuid].map { characteristics[$0] }
    }

    /// Returns the definition of a service type, or `nil` for a vendor's type.
    public static func service(_ type: ServiceType) -> ServiceDefinition? {
        servicesByType[type.uuid].map { services[$0] }
    }

    /// Returns the characteristic with an id, alias or name, or `nil` if there is none.
    ///
    /// Case, spaces, `-`, `_` and `.` are ignored: `CurrentDoorState`, `current door state` and `currentDoorState` are
    /// the same. An id has precedence over an alias.
    public static func characteristic(named name: String) -> CharacteristicDefinition? {
        characteristicsByName[key(name)].map { characteristics[$0] }
    }

    /// Returns the service with an id, alias or name, or `nil` if there is none.
    ///
    /// Case, spaces, `-`, `_` and `.` are ignored. An id has precedence over an alias: `Fan` is the first fan, not the
    /// second one, whose id is `Fanv2`.
    public static func service(named name: String) -> ServiceDefinition? {
        servicesByName[key(name)].map { services[$0] }
    }

    /// A short name for use in the generated tables.
    typealias ValueName = CharacteristicDefinition.ValueName

    // The lookups store positions, because a definition is large and is already in the tables.
    private static let characteristicsByType = positions(characteristics.map(\.type.uuid))
    private static let servicesByType = positions(services.map(\.type.uuid))
    private static let characteristicsByName = positions(
        characteristics.map { (id: $0.id, aliases: $0.aliases, name: $0.name) }
    )
    private static let servicesByName = positions(services.map { (id: $0.id, aliases: $0.aliases, name: $0.name) })

    private static func positions(_ uuids: [HAPUUID]) -> [HAPUUID: Int] {
        Dictionary(zip(uuids, uuids.indices), uniquingKeysWith: { first, _ in first })
    }

    private static func positions(_ types: [(id: String, aliases: [String], name: String)]) -> [String: Int] {
        var positions: [String: Int] = [:]
        positions.reserveCapacity(types.count * 2)
        for (position, type) in types.enumerated() {
            positions[key(type.id)] = position
        }
        for (position, type) in types.enumerated() {
            for name in type.aliases + [type.name] {
                let key = key(name)
                if positions[key] == nil {
                    positions[key] = position
                }
            }
        }
        return positions
    }

    /// Returns a name in lower case, without spaces, `-`, `_` and `.`, so that names that differ only in these compare
    /// as equal.
    ///
    /// Only ASCII letters are lowercased.
    package static func key(_ name: String) -> String {
        var key: [UInt8] = []
        key.reserveCapacity(name.utf8.count)
        SpellingSuggester.fold(name, into: &key)
        return String(decoding: key, as: UTF8.self)
    }
}
