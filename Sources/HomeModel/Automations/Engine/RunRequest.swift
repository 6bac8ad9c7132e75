/// What is to be set because of an automation.
package struct RunRequest: Sendable, Hashable {
    /// Which part of an automation it is.
    package enum Part: Sendable, Hashable {
        /// What it does.
        case targets
        /// How it ends.
        case end
    }

    /// The automation.
    package let automation: ObjectID<Automation>
    /// Which part of it.
    package let part: Part
    /// What to set: one action for a characteristic, at least one.
    package let actions: [HomeAction]
    /// What it came from.
    package let cause: RunCause
}
