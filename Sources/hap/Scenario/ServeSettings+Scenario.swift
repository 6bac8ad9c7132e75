import Simulation
import SimulationRunning

extension ServeSettings {
    /// Takes what a scenario says; the command line and the configuration win.
    mutating func take(_ source: ScenarioSource) {
        if files.isEmpty, copies == 1 { files = source.files }
        homeFile = homeFile ?? source.home
        if seed == 0 { seed = source.scenario.seed ?? 0 }
        facts = FactMailbox()
        injectsFaults = true
    }
}
