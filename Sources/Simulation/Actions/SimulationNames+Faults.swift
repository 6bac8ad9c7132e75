internal import AccessoryModel

extension SimulationNames {
    /// What a fault is put on; `nil` for every server.
    ///
    /// - Throws: ``SimulationError`` for a fault that nobody knows, and for what it cannot be put on.
    package func place(of wish: FaultWish) throws(SimulationError) -> SimulationObject? {
        guard let definition = FaultCatalogue.definition(named: wish.name) else {
            throw SimulationError(
                .unknownName,
                "There is no fault \"\(String(wish.name.prefix(100)).withVisibleControls)\".",
                "There are: \(FaultCatalogue.definitions.map(\.name).joined(separator: ", "))."
            )
        }
        if let target = wish.target { return try resolve(target, as: Set(definition.scopes.map(\.objectKind))) }
        guard definition.scopes.contains(.server) else {
            let kinds = definition.scopes.map(\.rawValue).joined(separator: " or ")
            throw SimulationError(.refused, "\(definition.name) is put on one thing.", "Name a \(kinds).")
        }
        return nil
    }
}

extension FaultScope.Kind {
    /// The same, as names have it.
    var objectKind: SimulationObject.Kind {
        switch self {
        case .server: .server
        case .accessory: .accessory
        case .service: .service
        case .characteristic: .characteristic
        }
    }
}
