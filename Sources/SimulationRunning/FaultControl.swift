package import Simulation

/// What puts faults on one server.
package protocol FaultControl: Sendable {
    /// Begins a fault.
    ///
    /// - Throws: ``SimulationError`` when the server cannot do it.
    func begin(_ fault: Fault) async throws(SimulationError)

    /// Ends faults: those of a name, those in a scope, or all; returns how many.
    func clear(named name: String?, in scope: FaultScope?) async -> Int
}
