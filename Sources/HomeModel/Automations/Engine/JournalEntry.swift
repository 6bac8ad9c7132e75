/// Why an automation ran at a moment, or did not.
package struct JournalEntry: Sendable, Hashable {
    /// When.
    package let instant: WallInstant
    /// Which automation; `nil` of what concerns them all.
    package let automation: ObjectID<Automation>?
    /// Its name at the time, else an empty text.
    package let name: String
    /// What happened.
    package let event: JournalEvent
}
