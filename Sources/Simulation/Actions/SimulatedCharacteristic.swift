package import AccessoryModel
package import HAPCore

/// A characteristic of a service, with its names.
package struct SimulatedCharacteristic: Sendable, Hashable {
    /// Its id in the server.
    package var id: CharacteristicID
    /// What it means.
    package var type: CharacteristicType
    /// What it is called: by its type, a vendor's by its description.
    package var name: String
    /// What a controller may do with it.
    package var permissions: CharacteristicPermissions
    /// Whether its values are presses, of which nothing stays that can be read.
    package var isButton: Bool
    /// Its values in people's words.
    package var words: CharacteristicWords
    /// What it goes by first of all.
    let keys: [String]
    /// What it goes by where nothing else does.
    let otherKeys: [String]

    init(id: CharacteristicID, _ characteristic: Characteristic) {
        self.id = id
        type = characteristic.type
        let definition = Catalogue.characteristic(characteristic.type)
        let uuid = characteristic.type.uuid
        name = definition?.name ?? characteristic.description ?? uuid.description
        keys = SimulationNameKey.keys([id.description, name] + (definition.map { [$0.id] } ?? []))
        otherKeys = SimulationNameKey.keys(
            (definition?.aliases ?? []) + (characteristic.description.map { [$0] } ?? []) + [uuid.description]
        )
        permissions = characteristic.permissions
        isButton = characteristic.type == .programmableSwitchEvent || characteristic.type == .buttonEvent
        words = CharacteristicWords(characteristic.type, characteristic.metadata)
    }
}
