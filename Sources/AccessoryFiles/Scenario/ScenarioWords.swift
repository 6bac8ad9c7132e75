internal import AccessoryModel
internal import Simulation

/// The words of scenarios.
enum ScenarioWords {
    static let presses: [(String, ButtonPress)] = ButtonPress.allCases.map { (ScenarioText.word($0), $0) }
    /// What `clear` takes away from a service.
    static let obstruction = "obstruction"
    /// What `clear` ends when it names none.
    static let faults = "faults"
}
