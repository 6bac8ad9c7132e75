package import Simulation

/// What is told while a scenario runs.
package enum ScenarioNews: Sendable {
    /// Something has happened in a server.
    case fact(ScenarioFact)
    /// A step has ended.
    case step(StepResult)
    /// The scenario says something.
    case said(String)
}
