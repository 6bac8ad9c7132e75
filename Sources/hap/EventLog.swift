import AccessoryModel
import Dispatch
import HAPCore
import HAPServer
import Synchronization

/// Prints one line for each thing that happens in a server.
///
/// The server's event loop only takes note; a queue of its own writes. What happens faster than people read is counted
/// instead of printed: neither a write storm nor a controller that tries again and again may slow the server or fill
/// somebody's disk.
final class EventLog: ServerObserver {
    /// How many lines wait at most.
    private static let capacity = 10_000

    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hap.event-log")
    private let clock = ContinuousClock()

    private struct State {
        var lines: [String] = []
        var dropped = 0
        var isWriting = false
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

    init(descriptor: Int32) {
        self.descriptor = descriptor
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

    /// Prints a line soon.
    func line(_ text: String) {
        let mustStart = state.withLock { state -> Bool in
            guard state.lines.count < Self.capacity else {
                state.dropped += 1
                return false
            }
            state.lines.append(text)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart {
            queue.async { self.write() }
        }
    }

    /// Waits until everything so far is printed; `false` when whoever reads it did not take it in time.
    @discardableResult
    func flush(within limit: Duration) -> Bool {
        for held in state.withLock({ $0.limiter.endAll() }) {
            line(held)
        }
        let written = DispatchGroup()
        written.enter()
        queue.async {
            self.write()
            written.leave()
        }
        return written.wait(timeout: .now() + .nanoseconds(Int(limit.clampedNanoseconds))) == .success
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
            queue.asyncAfter(deadline: .now() + 1) {
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
        if let text {
            line(held.leftOut > 0 ? "\(text) (\(held.leftOut) more left out)" : text)
        }
    }

    private func text(of fact: ServerFact) -> String? {
        let (names, peers) = state.withLock { ($0.names, $0.peers) }
        return FactDescription(fact, names: names, peers: peers).text
    }

    private func write() {
        while true {
            let (lines, dropped) = state.withLock { state -> ([String], Int) in
                defer {
                    state.lines = []
                    state.dropped = 0
                }
                state.isWriting = !state.lines.isEmpty
                return (state.lines, state.dropped)
            }
            guard !lines.isEmpty else { return }
            var text = lines.joined(separator: "\n") + "\n"
            if dropped > 0 {
                text += "(\(dropped) lines left out)\n"
            }
            FileDescriptorWriter.write(text, to: descriptor)
        }
    }
}
