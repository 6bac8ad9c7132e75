package import AccessoryModel

/// A device that can be simulated, with how it is built.
package enum SimulationModel: Sendable, Hashable {
    /// A garage door with its lock.
    case garageDoor(GarageDoor.Configuration)
    /// A lamp that fades.
    case dimmableLight(DimmableLight.Configuration)

    /// The model that belongs to a service type, as it is built by default; `nil` when there is none.
    package static func standard(for type: ServiceType) -> SimulationModel? {
        SimulationCatalogue.models.first { $0.services.contains(type) }?.model()
    }

    /// A new device of this model.
    package func behavior() -> any Behavior {
        switch self {
        case .garageDoor(let configuration): GarageDoor(configuration)
        case .dimmableLight(let configuration): DimmableLight(configuration)
        }
    }
}
