public import AccessoryModel

extension RemoteCharacteristic {
    /// What people call it: the name of its type, for a vendor's type its description, else the UUID.
    public var name: String { type.name(describedAs: description) }

    /// The unit as people write it: `%`, `°C`, `°`, `lx` or `s`; `nil` for none.
    public var unitSymbol: String? {
        metadata.unit?.symbol
    }

    /// The name of a value, such as `Closed` for 1; `nil` where values have no names.
    public func name(of value: CharacteristicValue) -> String? {
        words.name(of: value)
    }

    /// The value for people, on one line: its name, else with its unit; texts without quotes.
    ///
    /// What could break the line or steer a terminal stands as `\u{1B}`.
    public func text(of value: CharacteristicValue?) -> String {
        words.text(of: value)
    }

    /// Its values in people's words.
    package var words: CharacteristicWords {
        CharacteristicWords(type, metadata)
    }
}
