internal import AccessoryModel

extension SimulationNames {
    /// What a fault is, and what it is put on; `nil` for every server.
    ///
    /// - Throws: ``SimulationError`` for a fault that nobody knows, for a limit or arguments that it cannot have, and for
    ///   what it cannot be put on.
    package func scope(
        of wish: FaultWish
    ) throws(SimulationError) -> (definition: FaultDefinition, object: SimulationObject?) {
        var suggestions = NameSuggestions(of: self)
        return try scope(of: wish, &suggestions)
    }

    /// The same, with what the suggestions of the run have for a refusal.
    ///
    /// - Throws: ``SimulationError`` as above.
    func scope(
        of wish: FaultWish,
        _ suggestions: inout NameSuggestions
    ) throws(SimulationError) -> (definition: FaultDefinition, object: SimulationObject?) {
        let definition = try FaultCatalogue.known(wish.name)
        try definition.check(wish)
        guard let target = wish.target else {
            guard definition.scopes.contains(.server) else {
                let kinds = definition.scopes.map(\.rawValue).joined(separator: " or ")
                throw SimulationError(.refused, "\(definition.name) is put on one thing.", "Name a \(kinds).")
            }
            return (definition, nil)
        }
        return (definition, try resolve(target, as: Set(definition.scopes.map(\.objectKind)), &suggestions))
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
