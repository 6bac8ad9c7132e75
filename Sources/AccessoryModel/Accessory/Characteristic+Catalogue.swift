extension Characteristic {
    /// Creates a characteristic of an Apple-defined type, as the catalogue describes it.
    ///
    /// For types named in source. A type that a file or a peer names goes through ``Catalogue/characteristic(_:)``,
    /// which answers `nil` where this traps.
    ///
    /// - Precondition: The catalogue knows `type`.
    public init(catalogued type: CharacteristicType, value: CharacteristicValue? = nil) {
        guard let definition = Catalogue.characteristic(type) else {
            preconditionFailure("\(type.uuid) is not in the catalogue: declare its format and permissions")
        }
        self.init(definition, value: value)
    }
}
