extension Catalog {
    /// The characteristic that shows what another one requests, such as Current Door State for Target Door State.
    ///
    /// - Returns: `nil` for a type that is not a target.
    package static func current(ofTarget type: CharacteristicType) -> CharacteristicType? {
        currentByTarget[type]
    }

    /// The characteristic that requests what another one shows, such as Target Door State for Current Door State.
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
