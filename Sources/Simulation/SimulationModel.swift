package import AccessoryModel

/// A device that can be simulated, with how it is built.
package struct SimulationModel: Sendable, Hashable {
    /// The name of its entry in the catalogue, such as `garageDoor`.
    package let name: String
    /// What of it is not as it is by default, by the parameters' names.
    package let arguments: [String: SimulationArgument]

    /// The model that belongs to a service type, as it is built by default; `nil` when there is none.
    package static func standard(for type: ServiceType) -> SimulationModel? {
        SimulationCatalogue.standard(for: type)?.model()
    }

    /// A new device of this model.
    ///
    /// - Parameter seed: What its chance is drawn from: the same seed gives the same device.
    package func behavior(seed: UInt64 = 0) -> (any Behavior)? {
        SimulationCatalogue.model(named: name)?.behavior(arguments, seed: seed)
    }
}
