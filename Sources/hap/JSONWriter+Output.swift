import AccessoryModel
import HAPController
import HAPCore

extension JSONWriter {
    /// Writes a text under a key.
    mutating func member(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// Writes a number under a key.
    mutating func member(_ name: String, _ number: Int) {
        key(name)
        value(number)
    }

    /// Writes texts under a key.
    mutating func member(_ name: String, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts {
            value(text)
        }
        endArray()
    }
}

extension JSONWriter {
    /// Writes a characteristic's value: Booleans as `true` and `false`, bytes in Base64, none as `null`.
    mutating func value(_ value: CharacteristicValue?) {
        switch value {
        case .bool(let value): self.value(value)
        case .number(let value): self.value(value)
        case .string(let value): self.value(value)
        case .data(let bytes): self.value(base64: bytes)
        case nil: null()
        }
    }

    /// Writes which characteristic is meant, and its value with the name that it has.
    mutating func members(of found: FoundCharacteristic, value: CharacteristicValue?) {
        key("aid")
        self.value(found.accessory.aid.rawValue)
        key("iid")
        self.value(found.characteristic.iid.rawValue)
        if let name = found.accessory.name {
            member("accessory", name)
        }
        member("service", found.service.name)
        member("name", found.characteristic.name)
        key("value")
        self.value(value)
        if let name = value.flatMap({ found.characteristic.name(of: $0) }) {
            member("valueName", name)
        }
        if let unit = found.characteristic.metadata.unit {
            member("unit", unit.rawValue)
        }
    }
}
