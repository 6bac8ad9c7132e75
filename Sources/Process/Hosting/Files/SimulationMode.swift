/// Whether simulated devices change the values of the served accessories.
package enum SimulationMode: String, CaseIterable, Sendable {
    /// Uses the behavior that the file declares, or else the default behavior of the service type.
    case automatic = "auto"
    /// Simulates nothing.
    case off = "none"
}
