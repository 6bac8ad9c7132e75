public import AccessoryModel
package import HAPCore

extension DescribedCharacteristic {
    /// Parses a value that a user has written.
    ///
    /// Accepts names of values in any case (`closed`), numbers with or without the unit (`21.5`, `80 %`), `on` and
    /// `off`, `true` and `false`, `yes` and `no`, texts, and Base64 for bytes.
    ///
    /// - Throws: ``ControllerError`` of code `invalidValue`, which names the allowed values.
    public func value(parsing text: String) throws(ControllerError) -> CharacteristicValue {
        guard let value = base.allowedValue(of: text) else {
            throw ControllerError(
                .invalidValue,
                reason: "\"\(String(text.prefix(100)).escapingControlCharacters)\" is not a value of "
                    + "\(base.name.escapingControlCharacters).",
                remedy: "It takes \(base.allowedValues(insteadOf: text))."
            )
        }
        return value
    }

    /// Converts JSON from an accessory: from a database, a response to a read, or an event.
    ///
    /// Returns `nil` for `null`, and for JSON that is not a value.
    ///
    /// HAP: §11.5, §0 (bool output)
    package func value(from json: JSONValue) -> CharacteristicValue? {
        CharacteristicValue(lenient: json, as: base.metadata.format)
    }
}
