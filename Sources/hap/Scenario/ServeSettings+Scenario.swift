import Simulation

extension ServeSettings {
    /// Takes what a scenario says; the command line and the configuration win.
    mutating func take(_ source: ScenarioSource) {
        if files.isEmpty, copies == 1 { files = source.files }
        homeFile = homeFile ?? source.home
        seed = seed ?? source.scenario.seed
        runsScenario = true
        injectsFaults = true
    }
}
