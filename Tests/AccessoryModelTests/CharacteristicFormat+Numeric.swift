import AccessoryModel

extension CharacteristicFormat {
    /// Whether values are numbers.
    var isNumeric: Bool {
        self == .float || integerRange != nil
    }
}
