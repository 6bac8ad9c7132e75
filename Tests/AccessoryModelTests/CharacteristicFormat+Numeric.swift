import AccessoryModel

extension CharacteristicFormat {
    /// Whether the values of the format are numbers.
    var isNumeric: Bool {
        self == .float || integerRange != nil
    }
}
