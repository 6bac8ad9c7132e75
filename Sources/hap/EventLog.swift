import AccessoryModel
import Dispatch
import HAPCore
import HAPServer
import Synchronization

/// Prints one line for each thing that happens in a server.
///
/// The server's event loop only takes note; the printer's queue writes. What happens faster than people read is counted
/// instead of printed: neither a write storm nor a controller that tries again and again may slow the server or fill
/// somebody's disk.
final class EventLog: ServerObserver {
    private let printer: LinePrinter
    private let title: String?
    private let state = Mutex(State())
    private let clock = ContinuousClock()

    private struct State {
        var limiter = LineLimiter<LogSubject, Entry>()
        var names: [CharacteristicID: String] = [:]
        var peers: [ConnectionID: String] = [:]
        var advertiserNews = AdvertiserNews()
    }

    private enum Entry: Sendable {
        case text(String)
        /// Told when it is printed: in a storm of changes most are not.
        case change(ServerFact)
    }

    /// Creates a log.
    ///
    /// - Parameter title: What each line begins with, where one printer serves several servers.
    init(on printer: LinePrinter, title: String? = nil) {
        self.printer = printer
        self.title = title
    }

    /// Calls characteristics by these names from now on.
    func name(_ names: [CharacteristicID: String]) {
        state.withLock { $0.names = names }
    }

    func observe(_ fact: ServerFact) {
        if case .connectionOpened(let id, let peer) = fact {
            state.withLock { $0.peers[id] = "\(id) from \(peer)" }
        }
        if case .advertiserChanged(let advertiser) = fact {
            guard state.withLock({ $0.advertiserNews.isNews(advertiser) }) else { return }
        }
        switch LogSubject(fact) {
        case .characteristic(let id): note(.change(fact), about: .characteristic(id))
        case .kind(let kind):
            // At once: the connection is forgotten when it closes.
            if let text = text(of: fact) {
                note(.text(text), about: .kind(kind))
            }
        case nil: break
        }
        if case .sessionVerified(let id, let controller) = fact {
            state.withLock { $0.peers[id] = "controller \(controller)" }
        }
        if case .connectionClosed(let id, _) = fact {
            state.withLock { $0.peers[id] = nil }
        }
    }

    /// Hands over everything that was held back for its second to end.
    func endSeconds() {
        for held in state.withLock({ $0.limiter.endAll() }) {
            line(held)
        }
    }

    private func note(_ entry: Entry, about subject: LogSubject) {
        let now = clock.now
        let verdict = state.withLock { $0.limiter.take(entry, about: subject, at: now) }
        if let overdue = verdict.overdue {
            line(overdue)
        }
        if verdict.isPassed {
            line(.init(line: entry, leftOut: 0))
        }
        if let begin = verdict.begunAt {
            printer.queue.asyncAfter(deadline: .now() + 1) {
                if let held = self.state.withLock({ $0.limiter.end(subject, begunAt: begin) }) {
                    self.line(held)
                }
            }
        }
    }

    private func line(_ held: LineLimiter<LogSubject, Entry>.Held) {
        let text =
            switch held.line {
            case .text(let text): text as String?
            case .change(let fact): text(of: fact)
            }
        guard let text else { return }
        let counted = held.leftOut > 0 ? "\(text) (\(held.leftOut) more left out)" : text
        printer.line(title.map { "\($0): \(counted)" } ?? counted)
    }

    private func text(of fact: ServerFact) -> String? {
        let (names, peers) = state.withLock { ($0.names, $0.peers) }
        return FactDescription(fact, names: names, peers: peers).text
    }
}
