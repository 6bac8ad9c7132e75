/// A fault as somebody has asked for it: names that are looked up when it begins.
package struct FaultWish: Sendable, Hashable {
    /// The name of its entry in the catalogue of faults.
    package var name: String
    /// What of it is not as it is by default, by the parameters' names.
    package var arguments: [String: SimulationArgument]
    /// What it is in; `nil` for every server.
    package var target: SimulationTarget?
    /// How often it acts; `nil` for any number of times.
    package var count: Int?
    /// How long it lasts on the simulation's clock; `nil` for until it is cleared.
    package var duration: Duration?

    /// Creates a wish; without more, it is for every server until it is cleared.
    package init(
        _ name: String,
        arguments: [String: SimulationArgument] = [:],
        on target: SimulationTarget? = nil,
        count: Int? = nil,
        duration: Duration? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.target = target
        self.count = count
        self.duration = duration
    }
}
