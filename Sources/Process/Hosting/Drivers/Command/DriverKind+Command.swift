internal import Simulation

extension DriverKind {
    /// The driver `command`: a program, or programs that are run for each value.
    package static let command = DriverKind(.command) { (parameters: CommandParameters, port) in
        parameters.program.isEmpty ? PollingDriver(parameters, port) as any Driver : CommandDriver(parameters, port)
    }
}
