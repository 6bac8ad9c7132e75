import HAPCore
import HomeModel
import HomeRuntime
import Synchronization
import TestSupport

/// An observer that records the events of a running home.
final class Recorder: HomeRunObserver {
    private let news = Mutex<[HomeEvent]>([])

    func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
        self.news.withLock { $0.append(news) }
    }

    var all: [HomeEvent] {
        news.withLock { $0 }
    }

    /// The journal entries of the engine.
    var journal: [JournalEntry] {
        all.compactMap { if case .journal(let entry) = $0 { entry } else { nil } }
    }

    /// The results of the actions of each run.
    var runs: [[ActionResult]] {
        all.compactMap { if case .ran(_, let results) = $0 { results } else { nil } }
    }

    /// Waits until a matching event was recorded.
    func wait(for what: String, _ isIt: (HomeEvent) -> Bool) async throws {
        try await eventually(what) { all.contains(where: isIt) }
    }

    /// Waits until this number of automations has run.
    func wait(forRuns count: Int) async throws {
        try await eventually("\(count) automations have run") { runs.count >= count }
    }
}
