/// A journal entry in a store; its text stays valid even if the objects that it names change.
package struct StoredJournalEntry: Sendable, Hashable {
    /// The maximum number of stored entries, for all homes together.
    package static let maximumCount = 10_000

    /// The id of the home.
    package var home: ObjectID<Home>
    /// The instant of the event.
    package var instant: WallInstant
    /// The id of the automation, or `nil` if the event does not concern a single automation.
    package var automation: ObjectID<Automation>?
    /// The kind of the event in one word, such as `ran`.
    package var kind: String
    /// The event, in a sentence.
    package var text: String

    /// Creates an entry.
    package init(
        home: ObjectID<Home>,
        instant: WallInstant,
        automation: ObjectID<Automation>?,
        kind: String,
        text: String
    ) {
        self.home = home
        self.instant = instant
        self.automation = automation
        self.kind = kind
        self.text = text
    }

    /// Creates an entry from an entry of an engine's journal, with times in the home's time zone.
    package init(_ entry: JournalEntry, in home: Home, by calendar: some CivilCalendar) {
        self.init(
            home: home.id,
            instant: entry.instant,
            automation: entry.automation,
            kind: entry.event.kind,
            text: entry.text(in: home, by: calendar)
        )
    }
}

extension JournalEvent {
    /// The kind of the event, as a stable word for scripts.
    package var kind: String {
        switch self {
        case .ran: "ran"
        case .notRun: "notRun"
        case .noChange: "noEdge"
        case .endScheduled: "endDue"
        case .endTestPending: "endWaitsAgain"
        case .ended: "ended"
        case .endCancelled: "endDropped"
        case .disabled: "disabled"
        case .clockSetBack: "clockSetBack"
        }
    }
}
