public import AccessoryModel

extension RemoteCharacteristic {
    /// The value that somebody has written, by the characteristic's metadata.
    ///
    /// Taken are names of values in any case (`closed`), numbers with or without the unit (`21.5`, `80 %`), `on` and
    /// `off`, `true` and `false`, `yes` and `no`, texts as they are, and Base64 for bytes.
    ///
    /// - Throws: ``ControllerError`` of code `invalidValue`, which names what would be taken.
    public func value(parsing text: String) throws(ControllerError) -> CharacteristicValue {
        guard let value = words.allowedValue(of: text) else {
            throw ControllerError(
                .invalidValue,
                reason: "\"\(String(text.prefix(100)).withVisibleControls)\" is no value of "
                    + "\(name.withVisibleControls).",
                remedy: "It takes \(allowedValues)."
            )
        }
        return value
    }

    /// What a value may be, in words, such as `Open (0) or Closed (1)`, or `0 to 100 %`.
    public var allowedValues: String {
        words.allowedValues
    }
}
