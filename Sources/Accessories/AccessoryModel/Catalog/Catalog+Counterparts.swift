extension Catalog {
    /// Returns the "current" characteristic for a "target" one, such as Current Door State for Target Door State.
    ///
    /// - Returns: `nil` for a type that is not a target.
    package static func current(ofTarget type: CharacteristicType) -> CharacteristicType? {
        currentByTarget[type]
    }

    /// Returns the "target" characteristic for a "current" one, such as Target Door State for Current Door State.
    ///
    /// - Returns: `nil` for a type that has no target.
    package static func target(ofCurrent type: CharacteristicType) -> CharacteristicType? {
        targetByCurrent[type]
    }

    private static let currentByTarget: [CharacteristicType: CharacteristicType] = {
        var currents: [CharacteristicType: CharacteristicType] = [:]
        for definition in characteristics where definition.id.contains("Target") {
            if let current = characteristic(named: definition.id.replacing("Target", with: "Current")) {
                currents[definition.type] = current.type
            }
        }
        return currents
    }()

    private static let targetByCurrent = Dictionary(currentByTarget.map { ($0.value, $0.key) }) { first, _ in first }
}
