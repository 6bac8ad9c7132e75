import AccessoryModel
import HAPController
import HAPCore

extension JSONWriter {
    /// Writes the aid and the iid of a characteristic.
    mutating func members(of id: CharacteristicID) {
        member("aid", id.aid.rawValue)
        member("iid", id.iid.rawValue)
    }

    /// Writes the IDs and names of a characteristic, and its value with the name of the value.
    mutating func members(of found: FoundCharacteristic, value: CharacteristicValue?) {
        members(of: found.id)
        member("accessory", ifPresent: found.accessory.name)
        member("service", found.service.name)
        member("name", found.characteristic.name)
        member("value", value)
        member("valueName", ifPresent: value.flatMap { found.characteristic.name(of: $0) })
        member("unit", ifPresent: found.characteristic.metadata.unit?.rawValue)
    }
}
