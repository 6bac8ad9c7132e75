public import AccessoryModel
package import HAPCore

extension DescribedCharacteristic {
    /// The value that somebody has written, by the characteristic's metadata.
    ///
    /// Taken are names of values in any case (`closed`), numbers with or without the unit (`21.5`, `80 %`), `on` and
    /// `off`, `true` and `false`, `yes` and `no`, texts as they are, and Base64 for bytes.
    ///
    /// - Throws: ``ControllerError`` of code `invalidValue`, which names what would be taken.
    public func value(parsing text: String) throws(ControllerError) -> CharacteristicValue {
        guard let value = base.allowedValue(of: text) else {
            throw ControllerError(
                .invalidValue,
                reason: "\"\(String(text.prefix(100)).escapingControlCharacters)\" is no value of "
                    + "\(base.name.escapingControlCharacters).",
                remedy: "It takes \(base.allowedValues(insteadOf: text))."
            )
        }
        return value
    }

    /// The value that an accessory's JSON stands for: in a database, the answer to a read, or an event.
    ///
    /// `nil` for `null`, and for what is no value at all.
    ///
    /// HAP: §11.5, §0 (bool output)
    package func value(from json: JSONValue) -> CharacteristicValue? {
        CharacteristicValue(lenient: json, as: base.metadata.format)
    }
}
