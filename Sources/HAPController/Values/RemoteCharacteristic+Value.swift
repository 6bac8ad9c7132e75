package import AccessoryModel
package import HAPCore

extension RemoteCharacteristic {
    /// The value that an accessory's JSON stands for: in a database, the answer to a read, or an event.
    ///
    /// `nil` for `null`, and for what is no value at all.
    ///
    /// HAP: §11.5, §0 (bool output)
    package func value(from json: JSONValue) -> CharacteristicValue? {
        CharacteristicValue(lenient: json, as: metadata.format)
    }
}
