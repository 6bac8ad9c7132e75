import HAPServer
import Synchronization
import TestSupport

/// What a server did to everything it is connected to, in one order.
final class Journal: Sendable {
    private let written = Mutex<[JournalEntry]>([])

    func append(_ entry: JournalEntry) {
        written.withLock { $0.append(entry) }
    }

    var entries: [JournalEntry] {
        written.withLock { $0 }
    }

    var facts: [ServerFact] {
        entries.compactMap { if case .fact(let fact) = $0 { fact } else { nil } }
    }

    func position(where matches: (JournalEntry) -> Bool) -> Int? {
        entries.firstIndex(where: matches)
    }

    /// Waits for an entry, for as long as a busy machine may need.
    func waitForEntry(where matches: (JournalEntry) -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while !entries.contains(where: matches) {
            guard ContinuousClock.now < deadline else {
                throw TestFailure("the server did not do what was waited for")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits for a fact.
    func waitForFact(where matches: (ServerFact) -> Bool) async throws {
        try await waitForEntry { if case .fact(let fact) = $0 { matches(fact) } else { false } }
    }
}

extension Journal: ServerObserver {
    func observe(_ fact: ServerFact) {
        append(.fact(fact))
    }
}
