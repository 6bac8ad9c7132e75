/// A request to run the actions of an automation.
package struct RunRequest: Sendable, Hashable {
    /// A part of an automation.
    package enum Part: Sendable, Hashable {
        /// The scenes and actions of the automation.
        case targets
        /// The end of the automation.
        case end
    }

    /// The id of the automation.
    package let automation: ObjectID<Automation>
    /// The part of the automation.
    package let part: Part
    /// The actions: at least one, and at most one for each characteristic.
    package let actions: [HomeAction]
    /// The cause of the run.
    package let cause: RunCause
}
