package import AccessoryModel

/// What a file wants a service's values to be moved by.
package enum SimulationChoice: Sendable, Hashable {
    /// The model that belongs to the service's type, if there is one.
    case automatic
    /// Nothing: what is written stays as it is written.
    case none
    /// This one.
    case model(SimulationModel)

    /// The model for a service of this type, `nil` when nothing moves its values.
    package func model(for type: ServiceType) -> SimulationModel? {
        switch self {
        case .automatic: SimulationModel.standard(for: type)
        case .none: nil
        case .model(let model): model
        }
    }
}
