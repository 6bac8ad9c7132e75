package import Simulation

/// What puts faults on one server.
package protocol FaultControl: Sendable {
    /// Lets something go wrong from now on; returns when it does.
    @discardableResult
    func inject(_ fault: Fault) async -> FaultID

    /// Ends faults: those of a name, those in a scope, or all; returns how many.
    func clear(named name: String?, in scope: FaultScope?) async -> Int
}
