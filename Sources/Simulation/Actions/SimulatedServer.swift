package import AccessoryModel
package import HAPCore

/// What a server has, with the names by which people call it.
package struct SimulatedServer: Sendable {
    /// What the server is called.
    package var name: String
    /// The accessories, the primary one first.
    package var accessories: [SimulatedAccessory]
    /// What it goes by.
    private(set) var keys: [String]

    /// - Parameters:
    ///   - declared: What it serves.
    ///   - id: The id that a characteristic has; what has none is left out.
    package init(
        name: String,
        _ declared: [Accessory],
        id: (Accessory, Service, Characteristic) -> CharacteristicID?
    ) {
        self.name = name
        keys = SimulationNameKey.keys([name])
        accessories = declared.compactMap { accessory in
            SimulatedAccessory(accessory) { service, characteristic in id(accessory, service, characteristic) }
        }
    }

    /// Puts a number behind its name; it goes by both.
    mutating func number(_ number: Int) {
        name += " \(number)"
        keys.append(SimulationNameKey.key(name))
    }

    /// A server that was never started: with the ids that it would have then.
    ///
    /// - Throws: ``ModelError`` when that cannot be served.
    package init(name: String, unstarted declared: [Accessory], isVerbatim: Bool = false) throws(ModelError) {
        var identifiers = IdentifierMap()
        let database = try AttributeDatabase(declared, identifiers: &identifiers, isVerbatim: isVerbatim)
        self.init(name: name, declared) { accessory, service, characteristic in
            guard let aid = identifiers.accessories[accessory.key] else { return nil }
            return database.service(service.key, of: aid)
                .flatMap { database.characteristic(characteristic.type, of: $0) }
                .map { database.characteristics[$0].id }
        }
    }
}
