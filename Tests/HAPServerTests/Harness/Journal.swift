import HAPServer
import Synchronization
import TestSupport

/// All calls of a server to its ports and observers, in one order.
final class Journal: Sendable {
    private let written = Mutex<[JournalEntry]>([])

    func append(_ entry: JournalEntry) {
        written.withLock { $0.append(entry) }
    }

    var entries: [JournalEntry] {
        written.withLock { $0 }
    }

    var events: [ServerEvent] {
        entries.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    func position(where matches: (JournalEntry) -> Bool) -> Int? {
        entries.firstIndex(where: matches)
    }

    /// Waits for an entry, for as long as a busy machine may need.
    func waitForEntry(where matches: (JournalEntry) -> Bool) async throws {
        try await eventually("the server does what is waited for") { entries.contains(where: matches) }
    }

    /// Waits for an event of the server.
    func waitForEvent(where matches: (ServerEvent) -> Bool) async throws {
        try await waitForEntry { if case .event(let event) = $0 { matches(event) } else { false } }
    }
}

extension Journal: ServerObserver {
    func observe(_ event: ServerEvent) {
        append(.event(event))
    }
}
