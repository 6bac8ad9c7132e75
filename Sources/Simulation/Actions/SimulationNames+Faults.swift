internal import AccessoryModel

extension SimulationNames {
    /// What a fault is, and what it is put on; `nil` for every server.
    ///
    /// - Throws: ``SimulationError`` for a fault that nobody knows, and for what it cannot be put on.
    package func scope(
        of wish: FaultWish
    ) throws(SimulationError) -> (definition: FaultDefinition, object: SimulationObject?) {
        guard let definition = FaultCatalogue.definition(named: wish.name) else {
            throw SimulationError(
                .unknownName,
                "There is no fault \"\(String(wish.name.prefix(100)).withVisibleControls)\".",
                "There are: \(FaultCatalogue.definitions.map(\.name).joined(separator: ", "))."
            )
        }
        try checkLimit(of: wish, definition)
        guard let target = wish.target else {
            guard definition.scopes.contains(.server) else {
                let kinds = definition.scopes.map(\.rawValue).joined(separator: " or ")
                throw SimulationError(.refused, "\(definition.name) is put on one thing.", "Name a \(kinds).")
            }
            return (definition, nil)
        }
        return (definition, try resolve(target, as: Set(definition.scopes.map(\.objectKind))))
    }

    private func checkLimit(of wish: FaultWish, _ definition: FaultDefinition) throws(SimulationError) {
        if wish.count != nil, !definition.occurrence.takesCount {
            throw SimulationError(.refused, "\(wish.name) does not act several times.", "Leave the count away.")
        }
        if wish.duration != nil, !definition.occurrence.takesDuration {
            throw SimulationError(.refused, "\(wish.name) is over by itself.", "Leave the duration away.")
        }
    }
}

extension FaultScope.Kind {
    /// The same among what has names.
    fileprivate var objectKind: SimulationObject.Kind {
        switch self {
        case .server: .server
        case .accessory: .accessory
        case .service: .service
        case .characteristic: .characteristic
        }
    }
}
