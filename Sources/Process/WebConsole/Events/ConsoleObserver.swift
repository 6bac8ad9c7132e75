internal import AccessoryModel
internal import HAPCore
package import HAPServer
package import Hosting
internal import Resources
internal import Simulation
internal import Synchronization

/// An observer of one server that appends the server's events to the journal, and counts them.
///
/// It runs on the server's event loop, so it does little: it appends, counts, and remembers the peers and the simulated
/// time. Everything else is derived by the readers of the journal.
package final class ConsoleObserver: ServerObserver, HostedServerObserver {
    /// The maximum number of bytes of a path or a command in the journal.
    ///
    /// Paths come from clients that need no pairing.
    static let longestText = 200

    private let server: KnownServer
    private let index: UInt32
    private let journal: EventJournal
    private let metrics: MetricsObserver
    private let isForgotten = Atomic(false)

    private var identity: HostedServer.Identity { server.identity }

    /// Creates an observer of a server, whose name is also its name in the metrics.
    ///
    /// - Parameters:
    ///   - server: Receives what describes the events.
    ///   - journal: Receives the events.
    init(of server: KnownServer, _ journal: EventJournal) {
        self.server = server
        index = UInt32(server.identity.id)
        self.journal = journal
        metrics = MetricsObserver(journal.metrics, server: server.identity.name)
    }

    package func observe(_ event: ServerEvent) {
        // An announcement can end after its server was removed.
        guard !isForgotten.load(ordering: .relaxed) else { return }
        metrics.observe(event)
        switch event {
        case .requestReceived(let id, let method, let path) where path.utf8.count <= Self.longestText:
            return journal.append(stored: .request(server: index, id, method, path: path))
        case .requestReceived(let id, let method, let path):
            let start = path.truncated(to: Self.longestText)
            return journal.append(stored: .request(server: index, id, method, path: start))
        case .responseSent(let id, let status):
            return journal.append(stored: .response(server: index, id, status))
        case .eventSent(let id, let count):
            return journal.append(stored: .eventSent(server: index, id, count: count))
        case .valueChanged(let id, let type, .bool(let value), let origin):
            append(.bool(value), to: id)
            return journal.append(stored: .valueChanged(server: index, id, type, .bool(value), by: origin))
        case .valueChanged(let id, let type, .number(let value), let origin):
            append(.number(value), to: id)
            return journal.append(stored: .valueChanged(server: index, id, type, .number(value), by: origin))
        case .valueChanged(let id, let type, let value?, let origin) where value.isLarge:
            let size = CharacteristicValue.string("(a large value)")
            append(size, to: id)
            return journal.append(.server(identity.id, .valueChanged(id, type, size, by: origin)))
        case .faultInjected(let point, let decision):
            return journal.append(.server(identity.id, .faultInjected(point.shortened, decision.shortened)))
        case .valueChanged(let id, _, let value, by: _): append(value, to: id)
        // Only for observers that ask for items, such as scenarios.
        case .characteristicUsed, .characteristicNotified: return
        case .behaviorTimeChanged(let time, let scale):
            return server.append(journal.now, shows: time, scale: scale)
        default: server.observe(event)
        }
        journal.append(.server(identity.id, event))
    }

    package func observe(_ change: HostedServerChange) async {
        switch change {
        case .started(let started), .replaced(let started): server.setNames(started.eventNames)
        case .removed:
            isForgotten.store(true, ordering: .relaxed)
            journal.forget(identity)
        case .replacing, .stopped: break
        }
    }

    private func append(_ value: CharacteristicValue?, to id: CharacteristicID) {
        journal.append(value, to: ServerCharacteristicID(server: identity.id, id))
    }
}

extension String {
    /// Returns the text, shortened to a number of bytes if it has more.
    func truncated(to count: Int) -> String {
        utf8.count <= count ? self : String(decoding: utf8.prefix(count), as: UTF8.self) + "…"
    }
}

extension CharacteristicValue {
    /// Whether the value is too large to be stored with each change.
    fileprivate var isLarge: Bool {
        switch self {
        case .bool, .number: false
        case .string(let text): text.utf8.count > 1_024
        case .data(let bytes): bytes.count > 1_024
        }
    }
}

extension FaultInjectionPoint {
    /// The operation without the bytes of its message, and with a short path.
    ///
    /// With a quirk that is always active, every response is reported: thousands of them would stay in memory.
    fileprivate var shortened: FaultInjectionPoint {
        switch self {
        case .request(let id, let subject): .request(id, subject.shortened)
        case .response(let id, let subject, _): .response(id, subject.shortened, [])
        case .eventMessage(let id, _, _): .eventMessage(id, [], [])
        case .accept, .characteristicAccess, .notification, .announcement: self
        }
    }
}

extension FaultDecision {
    /// The decision without bytes that are sent instead.
    fileprivate var shortened: FaultDecision {
        switch self {
        case .replace: return .replace([])
        case .transmit(var transmission):
            transmission.message = nil
            return .transmit(transmission)
        default: return self
        }
    }
}

extension RequestSummary {
    fileprivate var shortened: RequestSummary {
        RequestSummary(method, path: path.truncated(to: ConsoleObserver.longestText))
    }
}
