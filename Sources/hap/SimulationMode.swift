import ArgumentParser

/// Whether anything moves the values of what is served.
enum SimulationMode: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// What the file says, else what belongs to the type of the service.
    case automatic = "auto"
    /// Nothing.
    case off = "none"
}
