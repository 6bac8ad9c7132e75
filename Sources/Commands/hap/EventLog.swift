import AccessoryModel
import Discovery
import Dispatch
import HAPCore
import HAPServer
import Hosting
import Synchronization

/// A log that prints one line for each event of a server.
///
/// The server's event loop only records the event. The printer's queue composes the text and writes it. Events that
/// occur faster than people can read are counted instead of printed. So neither many writes nor a controller that
/// retries endlessly can slow down the server or fill a disk.
final class EventLog: ServerObserver, HostedServerObserver {
    private let printer: LinePrinter
    private let title: String?
    private let state: Mutex<State>
    private let clock = ContinuousClock()

    private struct State {
        var limiter = LineLimiter<LogSubject, LogEntry>()
        var names = ServerEventNames()
        /// The value changes that occurred before the names were known, or `nil` once they are known.
        var unnamedEvents: [ServerEvent]? = []
        var peers: [ConnectionID: ConnectionPeer] = [:]
        var advertiserStateFilter: AdvertiserStateFilter
        /// Whether an edit is in progress, so that no line about a new configuration number is printed.
        var suppressesStructureEvents = false
        /// Whether a timer is scheduled for the end of a second in which lines are held.
        var isFlushScheduled = false
    }

    /// An event whose line is composed only when it is printed, because most events of a burst are not printed.
    private struct LogEntry: Sendable {
        let event: ServerEvent
        let time = LineTime.now
        /// The peer at the time of the event.
        ///
        /// The log forgets a connection when it closes.
        let peer: ConnectionPeer?
    }

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - title: A prefix of each line, for a printer that several servers share.
    ///   - mustAdvertise: Whether the program ends with an error if the server cannot be advertised at the start.
    init(on printer: LinePrinter, title: String? = nil, mustAdvertise: Bool = false) {
        self.printer = printer
        self.title = title
        state = Mutex(State(advertiserStateFilter: AdvertiserStateFilter(mustAdvertise: mustAdvertise)))
    }

    func observe(_ change: HostedServerChange) async {
        switch change {
        case .started(let server): setNames(server.eventNames)
        // The code that edits the structure reports the new configuration number itself.
        case .replacing: state.withLock { $0.suppressesStructureEvents = true }
        case .replaced(let server):
            setNames(server.eventNames)
            state.withLock { $0.suppressesStructureEvents = false }
        case .stopped, .removed: flush()
        }
    }

    /// Sets the names of the characteristics and accessories.
    func setNames(_ names: ServerEventNames) {
        let unnamed = state.withLock { state in
            state.names = names
            defer { state.unnamedEvents = nil }
            return state.unnamedEvents ?? []
        }
        unnamed.forEach(observe)
    }

    /// The maximum number of changes that are held until the names are known.
    private static let maximumUnnamedEvents = 1_000

    func observe(_ fact: ServerEvent) {
        switch fact {
        // The most frequent ones, which are never printed.
        case .requestReceived, .responseSent, .eventSent: return
        default: break
        }
        if case .connectionOpened(let id, let peer) = fact {
            state.withLock { $0.peers[id] = ConnectionPeer(id, address: peer) }
        }
        if case .advertiserChanged(let advertiser) = fact {
            guard state.withLock({ $0.advertiserStateFilter.isNew(advertiser) }) else { return }
        }
        if case .configurationChanged = fact, state.withLock({ $0.suppressesStructureEvents }) { return }
        if case .valueChanged = fact, holdUntilNamed(fact) { return }
        if let subject = LogSubject(fact) {
            limitAndPrint(fact, about: subject)
        }
        if case .sessionVerified(let id, let controller) = fact {
            state.withLock { $0.peers[id]?.controller = controller }
        }
        if case .connectionClosed(let id, _) = fact {
            state.withLock { $0.peers[id] = nil }
        }
    }

    /// Holds an event until the names of characteristics are known.
    ///
    /// - Returns: Whether the event is held.
    private func holdUntilNamed(_ event: ServerEvent) -> Bool {
        state.withLock { state in
            guard let count = state.unnamedEvents?.count, count < Self.maximumUnnamedEvents else { return false }
            state.unnamedEvents?.append(event)
            return true
        }
    }

    /// Prints all held lines, without waiting for the ends of their windows.
    func flush() {
        let unnamed = state.withLock { state in
            defer { state.unnamedEvents = nil }
            return state.unnamedEvents ?? []
        }
        unnamed.forEach(observe)
        for held in state.withLock({ $0.limiter.finishAll() }) {
            printHeld(held)
        }
    }

    private func limitAndPrint(_ fact: ServerEvent, about subject: LogSubject) {
        let now = clock.now
        let (entry, verdict, mustSchedule) = state.withLock { state in
            let entry = LogEntry(event: fact, peer: fact.connection.flatMap { state.peers[$0] })
            let verdict = state.limiter.decide(on: entry, about: subject, at: now)
            let mustSchedule = verdict.startsHolding && !state.isFlushScheduled
            state.isFlushScheduled = state.isFlushScheduled || mustSchedule
            return (entry, verdict, mustSchedule)
        }
        if let overdue = verdict.heldBefore {
            printHeld(overdue)
        }
        if verdict.isPrinted {
            printHeld(.init(line: entry, omittedCount: 0))
        }
        if mustSchedule {
            scheduleFlush(after: .seconds(1))
        }
    }

    /// Prints the lines whose windows are over, and schedules the next timer if lines remain.
    private func scheduleFlush(after delay: Duration) {
        printer.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay.clampedNanoseconds))) {
            let now = self.clock.now
            let (held, next) = self.state.withLock { state in
                let (held, next) = state.limiter.finishWindows(at: now)
                state.isFlushScheduled = next != nil
                return (held, next)
            }
            for line in held {
                self.printHeld(line)
            }
            if let next {
                // Because of the minimum delay, one timer serves all windows that began at almost the same time.
                self.scheduleFlush(after: max(now.duration(to: next), .milliseconds(100)))
            }
        }
    }

    private func printHeld(_ held: LineLimiter<LogSubject, LogEntry>.HeldLine) {
        printer.printLine(composedBy: { [self] in
            let names = state.withLock { $0.names }
            guard var text = held.line.event.sentence(names, peer: held.line.peer) else { return nil }
            if let command = held.line.event.remedyCommand { text += " \(command)" }
            let counted = held.omittedCount > 0 ? "\(text) (\(held.omittedCount) more left out)" : text
            // Names come from files, and other texts from the network, so control characters are removed.
            return "\(held.line.time)  \(title.map { "\($0): \(counted)" } ?? counted)".printable
        })
    }
}

/// Selects the advertiser states that are printed: an outage is printed once for each reason, not for each attempt.
struct AdvertiserStateFilter {
    private var outage: DiscoveryError?
    /// Whether outages are not printed here, because the code that waits for the first announcement reports them.
    private var mustAdvertise: Bool

    init(mustAdvertise: Bool = false) {
        self.mustAdvertise = mustAdvertise
    }

    /// Returns whether this state differs from the previous one.
    mutating func isNew(_ state: AdvertiserState) -> Bool {
        guard case .unavailable(let error, _) = state else {
            outage = nil
            if case .advertised = state { mustAdvertise = false }
            return true
        }
        guard !mustAdvertise else { return false }
        defer { outage = error }
        return error != outage
    }
}

extension ServerEvent {
    /// The `hap` command that helps, if there is one.
    fileprivate var remedyCommand: String? {
        switch self {
        case .pairSetupRefused(_, .maxTries, _): "'hap reset' allows new tries."
        case .pairSetupRefused(_, .unavailable, _): "'hap reset --pairings' removes its pairings."
        default: nil
        }
    }
}
