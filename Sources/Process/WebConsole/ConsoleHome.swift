internal import AccessoryModel
internal import Documents
internal import HAPCore
package import HomeModel
package import HomeRuntime
package import Hosting

/// A running home with the store in which it is changed.
package struct ConsoleHome: Sendable {
    package let runner: StoredHomeRunner
    package let store: HomeStateStore
    /// The file that says what the home is, or `nil` if the store does.
    package let file: ServedHomeFile?

    package init(_ runner: StoredHomeRunner, in store: HomeStateStore, file: ServedHomeFile? = nil) {
        self.runner = runner
        self.store = store
        self.file = file
    }
}

/// An observer of a home that appends what people want to know to the journal of events.
package struct ConsoleHomeObserver: HostedHomeObserver {
    private let journal: EventJournal

    package init(_ journal: EventJournal) {
        self.journal = journal
    }

    package func observe(_ event: HomeEvent, in home: Home, at instant: WallInstant) {
        switch event {
        case .journal(let entry):
            let stored = StoredJournalEntry(entry, in: home, by: FoundationCalendar(of: home))
            append(stored.kind, stored.automation.flatMap { home.automation($0)?.name.text }, stored.text)
        case .reachable(let server): append("reachable", nil, "\(name(of: server, in: home)) is reachable.")
        case .unreachable(let server, let reason):
            append("unreachable", nil, "\(name(of: server, in: home)) cannot be reached: \(reason)")
        case .structureChanged(let server):
            append("structure-changed", nil, "The services of \(name(of: server, in: home)) have changed.")
        case .edited: append("edited", nil, "The home, or the presence of a user, has changed.")
        case .ran, .value, .accepted: break
        }
    }

    /// Returns the name of a server's first accessory in the home, which for a bridge is the bridge.
    private func name(of server: DeviceID, in home: Home) -> String {
        home.accessories.first { $0.reference?.server == server }?.name.text ?? "The server \(server)"
    }

    private func append(_ kind: String, _ automation: String?, _ message: String) {
        journal.append(.home(kind: kind, automation: automation, message: message))
    }
}
