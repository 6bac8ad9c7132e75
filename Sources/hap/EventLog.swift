import AccessoryModel
import Discovery
import Dispatch
import HAPCore
import HAPServer
import Synchronization

/// Prints one line for each thing that happens in a server.
///
/// The server's event loop only takes note; the printer's queue composes the text and writes it. What happens faster than
/// people read is counted instead of printed: neither a write storm nor a controller that tries again and again may slow
/// the server or fill a disk.
final class EventLog: ServerObserver {
    private let printer: LinePrinter
    private let title: String?
    private let state: Mutex<State>
    private let clock = ContinuousClock()

    private struct State {
        var limiter = LineLimiter<LogSubject, LogEntry>()
        var names: [CharacteristicID: String] = [:]
        var metadata: [CharacteristicID: CharacteristicMetadata] = [:]
        var accessoryNames: [AccessoryID: String] = [:]
        /// Changes of values that were observed before the names were known; `nil` once they are known.
        var unnamedEvents: [ServerEvent]? = []
        var peers: [ConnectionID: LogPeer] = [:]
        var advertiserStateFilter: AdvertiserStateFilter
        /// Whether whoever edits the structure tells its new number.
        var suppressesStructureEvents = false
        /// Whether a timer is scheduled for the end of a second.
        var isFlushScheduled = false
    }

    /// Put into words when it is printed: in a storm most are not.
    private struct LogEntry: Sendable {
        let event: ServerEvent
        /// Known by then: the log forgets a connection when it closes.
        let peer: LogPeer?
    }

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - title: What each line begins with, where one printer serves several servers.
    ///   - mustAdvertise: Whether the program ends with the reason when nothing can be advertised at the start.
    init(on printer: LinePrinter, title: String? = nil, mustAdvertise: Bool = false) {
        self.printer = printer
        self.title = title
        state = Mutex(State(advertiserStateFilter: AdvertiserStateFilter(mustAdvertise: mustAdvertise)))
    }

    /// Calls characteristics by these names from now on, and their values by the units of what they may be.
    func setNames(
        _ names: [CharacteristicID: String],
        metadata: [CharacteristicID: CharacteristicMetadata] = [:],
        accessories: [AccessoryID: String] = [:]
    ) {
        let unnamed = state.withLock { state in
            state.names = names
            state.metadata = metadata
            state.accessoryNames = accessories
            defer { state.unnamedEvents = nil }
            return state.unnamedEvents ?? []
        }
        unnamed.forEach(observe)
    }

    /// The most changes that are held until the names are known.
    private static let maximumUnnamedEvents = 1_000

    /// Leaves the new configuration number of an edit to whoever makes it, until that has ended.
    func setSuppressesStructureEvents(_ isEdited: Bool) {
        state.withLock { $0.suppressesStructureEvents = isEdited }
    }

    func observe(_ fact: ServerEvent) {
        if case .connectionOpened(let id, let peer) = fact {
            state.withLock { $0.peers[id] = .unverified(id, address: peer) }
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
            state.withLock { $0.peers[id] = .controller(controller) }
        }
        if case .connectionClosed(let id, _) = fact {
            state.withLock { $0.peers[id] = nil }
        }
    }

    /// Holds an event until the names of characteristics are known.
    ///
    /// - Returns: Whether it is held.
    private func holdUntilNamed(_ event: ServerEvent) -> Bool {
        state.withLock { state in
            guard let count = state.unnamedEvents?.count, count < Self.maximumUnnamedEvents else { return false }
            state.unnamedEvents?.append(event)
            return true
        }
    }

    /// Hands over everything that was held back for its second to end.
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

    /// Prints the lines whose second is over by then, and schedules the next timer if lines remain.
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
                // Seconds that begin one after the other end together.
                self.scheduleFlush(after: max(now.duration(to: next), .milliseconds(100)))
            }
        }
    }

    private func printHeld(_ held: LineLimiter<LogSubject, LogEntry>.HeldLine) {
        let (names, metadata, accessories) = state.withLock { ($0.names, $0.metadata, $0.accessoryNames) }
        printer.printLine(composedBy: { [title] in
            let description = ServerEventDescription(
                held.line.event,
                names: names,
                metadata: metadata,
                accessories: accessories,
                peer: held.line.peer
            )
            guard let text = description.text else { return nil }
            let counted = held.omittedCount > 0 ? "\(text) (\(held.omittedCount) more left out)" : text
            // Names come from files, texts from the network.
            return (title.map { "\($0): \(counted)" } ?? counted).printable
        })
    }
}

/// Who is at the other end of a connection, as far as the log knows.
enum LogPeer: Sendable {
    /// Nobody's session yet.
    case unverified(ConnectionID, address: String)
    /// One that has proved who it is.
    case controller(ControllerIdentifier)
}

extension LogPeer: CustomStringConvertible {
    /// What a line calls it.
    var description: String {
        switch self {
        case .unverified(let id, let address): "\(id) from \(address)"
        case .controller(let identifier): "controller \(identifier.shortText)"
        }
    }
}

extension ControllerIdentifier {
    /// The identifier in a line of the log: the first eight characters of a UUID, or all of any other text.
    var shortText: String {
        let text = description
        return HAPUUID(text) != nil && text.utf8.count == 36 ? String(text.prefix(8)) : text
    }
}

/// Tells the states of an advertiser that are worth a line: an outage is told once for each reason, not for each try.
struct AdvertiserStateFilter {
    private var outage: DiscoveryError?
    /// Whether an outage is told by whoever waits for the first announcement.
    private var mustAdvertise: Bool

    init(mustAdvertise: Bool = false) {
        self.mustAdvertise = mustAdvertise
    }

    /// Whether this state says something else than the ones before.
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
