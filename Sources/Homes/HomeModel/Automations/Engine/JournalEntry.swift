/// An event in the journal of a home, such as a run of an automation or the reason why it did not run.
package struct JournalEntry: Sendable, Hashable {
    /// The instant of the event.
    package let instant: WallInstant
    /// The id of the automation, or `nil` if the event concerns all automations.
    package let automation: ObjectID<Automation>?
    /// The name of the automation at that time, or an empty string if the event concerns all automations.
    package let name: String
    /// The event.
    package let event: JournalEvent
}
