import AccessoryModel
import Discovery
import Dispatch
import HAPCore
import HAPServer
import Hosting
import Synchronization
import WebConsole

/// A log that prints one line for each event of a server.
///
/// The server's event loop only records the event. The printer's queue composes the text and writes it. Events that
/// occur faster than people can read are counted instead of printed. So neither many writes nor a controller that
/// retries endlessly can slow down the server or fill a disk.
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
        /// The value changes that occurred before the names were known, or `nil` once they are known.
        var unnamedEvents: [ServerEvent]? = []
        var peers: [ConnectionID: LogPeer] = [:]
        var advertiserStateFilter: AdvertiserStateFilter
        /// Whether the code that edits the structure reports the new configuration number itself.
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
        let peer: LogPeer?
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

    /// Sets the names of the characteristics and accessories, and the metadata that describes the values.
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

    /// The maximum number of changes that are held until the names are known.
    private static let maximumUnnamedEvents = 1_000

    /// Suppresses the line about a new configuration number while an edit is in progress, because the editing code
    /// reports it.
    func setSuppressesStructureEvents(_ isEdited: Bool) {
        state.withLock { $0.suppressesStructureEvents = isEdited }
    }

    func observe(_ fact: ServerEvent) {
        switch fact {
        // The most frequent ones, which are never printed.
        case .requestReceived, .responseSent, .eventSent: return
        default: break
        }
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

    /// Returns an event in a sentence, or `nil` if it is too frequent for sentences.
    func text(of event: ServerEvent, peer: ConsoleObserver.Peer?) -> String? {
        let logPeer = event.connection.flatMap { id in peer.map { LogPeer(id, $0) } }
        return description(of: event, logPeer).text?.printable
    }

    private func description(of event: ServerEvent, _ peer: LogPeer?) -> ServerEventDescription {
        let (names, metadata, accessories) = state.withLock { ($0.names, $0.metadata, $0.accessoryNames) }
        return ServerEventDescription(
            event,
            names: names,
            metadata: metadata,
            accessories: accessories,
            peer: peer
        )
    }

    private func printHeld(_ held: LineLimiter<LogSubject, LogEntry>.HeldLine) {
        printer.printLine(composedBy: { [self] in
            guard let text = description(of: held.line.event, held.line.peer).text else { return nil }
            let counted = held.omittedCount > 0 ? "\(text) (\(held.omittedCount) more left out)" : text
            // Names come from files, and other texts from the network, so control characters are removed.
            return "\(held.line.time)  \(title.map { "\($0): \(counted)" } ?? counted)".printable
        })
    }
}

/// The peer of a connection, as far as the log knows it.
enum LogPeer: Sendable {
    /// A connection without a verified session.
    case unverified(ConnectionID, address: String)
    /// A controller that has proved its identity.
    case controller(ControllerIdentifier)
}

extension LogPeer {
    init(_ id: ConnectionID, _ peer: ConsoleObserver.Peer) {
        self = peer.controller.map { .controller($0) } ?? .unverified(id, address: peer.address)
    }
}

extension LogPeer: CustomStringConvertible {
    /// The text for the peer in a line of the log.
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
