import AccessoryModel
import HAPCore
import Testing

@testable import HAPController

/// Characteristics and accessories as a controller reads them.
enum Sample {
    /// Returns a vendor-specific characteristic.
    static func characteristic(format: CharacteristicFormat, iid: UInt64 = 9) throws -> RemoteCharacteristic {
        RemoteCharacteristic(
            iid: try #require(InstanceID(iid)),
            CharacteristicDescription(
                type: CharacteristicType(try #require(HAPUUID("7E536242-341C-4862-BE90-272CE15BD633"))),
                permissions: [.read, .write, .events],
                metadata: CharacteristicMetadata(format: format)
            )
        )
    }

    /// Returns a characteristic with the metadata of the catalog.
    static func characteristic(_ type: CharacteristicType, iid: UInt64 = 9) throws -> RemoteCharacteristic {
        let definition = try #require(Catalog.characteristic(type))
        return RemoteCharacteristic(
            iid: try #require(InstanceID(iid)),
            CharacteristicDescription(definition)
        )
    }

    /// Returns a garage and, behind a bridge, two lamps with the same name.
    static func home() throws -> [RemoteAccessory] {
        try RemoteDatabase.read(
            Array(
                """
                [{"aid": 1, "services": [
                  {"iid": 1, "type": "3E", "characteristics": [{"iid": 2, "type": "23", "value": "Home"}]},
                  {"iid": 8, "type": "41", "characteristics": [
                    {"iid": 9, "type": "E"}, {"iid": 10, "type": "32"}, {"iid": 11, "type": "23", "value": "Große Tür"}]}]},
                 {"aid": 2, "services": [
                  {"iid": 1, "type": "3E", "characteristics": [{"iid": 2, "type": "23", "value": "Hall"}]},
                  {"iid": 8, "type": "43", "characteristics": [
                    {"iid": 9, "type": "25"}, {"iid": 10, "type": "8"},
                    {"iid": 11, "type": "7E536242-341C-4862-BE90-272CE15BD633", "description": "Fade Rate"},
                    {"iid": 12, "type": "23", "value": "A/C Light"}]}]},
                 {"aid": 3, "services": [
                  {"iid": 1, "type": "3E", "characteristics": [{"iid": 2, "type": "23", "value": "Attic"}]},
                  {"iid": 8, "type": "43", "characteristics": [{"iid": 9, "type": "25"}]}]}]
                """
                .utf8
            )
        )
    }
}
