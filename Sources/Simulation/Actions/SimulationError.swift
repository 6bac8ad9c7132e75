/// Why something that was asked of a simulation is not done, and what would be right.
package struct SimulationError: Error, Sendable, Hashable {
    /// What kind of reason it is.
    package enum Code: Sendable, Hashable {
        /// A name or an id means nothing.
        case unknownName
        /// A name can mean several things.
        case ambiguousName
        /// A value is none of its characteristic's, or an argument none of its parameter's.
        case invalidValue
        /// The device or the server does not do it.
        case refused
        /// Time does not pass like that.
        case impossibleTime
        /// It was ended before it was done.
        case endedEarly
    }

    /// What kind of reason it is.
    package var code: Code
    /// What is wrong, in a sentence with its full stop.
    package var reason: String
    /// What would be right, in a sentence with its full stop.
    package var remedy: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String, _ remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }

    /// Nobody comes or goes where there is no home.
    package static let noHome = SimulationError(
        .refused,
        "No home is run here in which somebody comes and goes.",
        "Name its file, with \"home\" in the scenario or with --home."
    )

    /// What takes time was ended before it was done.
    package static let endedEarly = SimulationError(.endedEarly, "It ended early.", "Begin it again.")
}

extension SimulationError: CustomStringConvertible {
    /// Both sentences.
    package var description: String {
        "\(reason) \(remedy)"
    }
}
