internal import AccessoryModel
internal import HAPCore

extension RemoteCharacteristic {
    /// The value that an accessory's JSON stands for, of another kind than the characteristic's rather than none.
    ///
    /// HAP: §11.5
    func value(from json: JSONValue) -> CharacteristicValue? {
        switch (json, metadata.format) {
        case (.bool(let value), .uint8), (.bool(let value), .uint16), (.bool(let value), .uint32),
            (.bool(let value), .uint64), (.bool(let value), .int), (.bool(let value), .float):
            .number(value ? 1 : 0)
        case (.number(0), .bool): .bool(false)
        case (.number(1), .bool): .bool(true)
        case (.string(let text), .tlv8), (.string(let text), .data):
            Base64.decode(text).map { .data($0) } ?? .string(text)
        default: CharacteristicValue(untyped: json)
        }
    }
}
