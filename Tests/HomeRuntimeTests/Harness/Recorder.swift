import HAPCore
import HomeModel
import HomeRuntime
import Synchronization
import TestSupport

/// Keeps what is told while a home is run.
final class Recorder: HomeRunObserver {
    private let news = Mutex<[HomeEvent]>([])

    func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
        self.news.withLock { $0.append(news) }
    }

    var all: [HomeEvent] {
        news.withLock { $0 }
    }

    /// What the engine has said.
    var journal: [JournalEntry] {
        all.compactMap { if case .journal(let entry) = $0 { entry } else { nil } }
    }

    /// What became of what automations wanted.
    var runs: [[ActionResult]] {
        all.compactMap { if case .ran(_, let results) = $0 { results } else { nil } }
    }

    /// Waits until something was told.
    func wait(for what: String, _ isIt: (HomeEvent) -> Bool) async throws {
        try await eventually(what) { all.contains(where: isIt) }
    }

    /// Waits until so many automations have run.
    func wait(forRuns count: Int) async throws {
        try await eventually("\(count) automations have run") { runs.count >= count }
    }
}
