/// What happened in a home, as it is kept: in words, which stay true whatever becomes of the things they name.
package struct StoredJournalEntry: Sendable, Hashable {
    /// How many are kept, of all homes together.
    package static let maximumCount = 10_000

    /// The home.
    package var home: ObjectID<Home>
    /// When.
    package var instant: WallInstant
    /// Which automation; `nil` of what concerns none.
    package var automation: ObjectID<Automation>?
    /// What kind of thing happened, one word, such as `ran`.
    package var kind: String
    /// What happened, in a sentence.
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

    /// Takes an entry of an engine's journal, with times as the home's clocks show them.
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
    /// What kind of event it is, in one word that scripts can rely on.
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
