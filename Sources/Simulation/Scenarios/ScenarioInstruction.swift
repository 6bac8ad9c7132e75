package import HAPCore

/// What whoever runs a scenario has to do next.
package enum ScenarioInstruction: Sendable, Hashable {
    /// Do this, and tell what came of it by ``ScenarioMachine/performed(_:at:)``.
    case perform(SimulationAction)
    /// Wait for a fact, or for this moment of the simulation's clock.
    ///
    /// `forOthers`: somebody outside is waited for, in whose world time passes no faster.
    case wait(until: MonotonicInstant, forOthers: Bool)
    /// It is over.
    case finish(ScenarioResult)
}
