internal import AccessoryModel
public import CoreMetrics
internal import Discovery
internal import HAPCore
internal import Synchronization

/// Measures the events of a server.
///
/// ``AccessoryServer`` creates one if it gets a metrics factory. The guide <doc:ObservingAServer> lists all metrics.
/// Each has the dimension `server`.
public final class MetricsObserver: ServerObserver {
    private let metrics: ServerMetrics
    private let state = Mutex(State())

    private struct State {
        /// The unanswered requests, at most one of each connection.
        ///
        /// Most are answered at once, so a search in the few that are left needs no hash.
        var requests: [Request] = []
        var connectionCount = 0
        var sessions: Set<ConnectionID> = []
        var advertiserState: String?
        /// The metrics of the endpoints that were requested.
        ///
        /// They are resolved once, because each response needs them. There are few, so a search needs no hash.
        var endpoints: [EndpointMetrics] = []
        /// The counters of changes by the label of their origin, and of event messages and their values.
        var changes: [(origin: String, counter: Counter)] = []
        var events: (messages: Counter, values: Counter)?
    }

    private struct Request {
        let connection: ConnectionID
        let endpoint: HAPEndpoint?
        let received: MonotonicInstant
    }

    /// The metrics of the responses of one endpoint, or of all other paths if it is `nil`.
    private struct EndpointMetrics {
        let endpoint: HAPEndpoint?
        let duration: CoreMetrics.Timer
        var counters: [(status: HTTPStatus, counter: Counter)] = []
    }

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - factory: Creates counters, meters and timers.
    ///   - server: The name of the server.
    public init(_ factory: any MetricsFactory, server: String) {
        metrics = ServerMetrics(factory, server: server)
        // A counter that appears with its first failure shows no increase, so alerts would miss it.
        metrics.count(.storeFailures, by: 0)
        metrics.count(.pairSetupRefusals, [("reason", PairingErrorCode.authentication.label)], by: 0)
    }

    /// Counts an event, or records the duration of the operation that it ends.
    public func observe(_ event: ServerEvent) {
        observe(event, at: .now)
    }

    /// Counts an event that happened at a time.
    func observe(_ event: ServerEvent, at time: @autoclosure () -> MonotonicInstant) {
        switch event {
        case .connectionOpened: changeConnectionCount(by: 1)
        case .connectionClosed(let id, let reason): recordClose(id, reason)
        case .sessionVerified(let id, _):
            metrics.count(.pairVerifyAttempts)
            updateSessions { $0.insert(id) }
        case .requestReceived(let id, _, let path): recordRequest(id, path, at: time())
        case .responseSent(let id, let status): recordResponse(id, status, at: time())
        case .protocolViolation: metrics.count(.protocolViolations)
        case .valueChanged(_, _, _, let origin): countChange(by: origin)
        case .eventSent(_, let count): countEvent(of: count)
        case .eventCoalesced: metrics.count(.eventsCoalesced)
        case .handlerFailed: metrics.count(.handlerFailures)
        case .handlerSlow: metrics.count(.handlersSlow)
        case .handlerTimedOut: metrics.count(.handlerTimeouts)
        case .driverEvent: metrics.count(.driverEvents)
        case .pairingAdded: metrics.count(.pairingChanges, [("change", "added")])
        case .pairingRemoved: metrics.count(.pairingChanges, [("change", "removed")])
        case .pairSetupStarted: metrics.count(.pairSetupAttempts)
        case .pairSetupRefused(_, let error, _): metrics.count(.pairSetupRefusals, [("reason", error.label)])
        case .pairVerifyRefused(_, let error):
            metrics.count(.pairVerifyAttempts)
            metrics.count(.pairVerifyRefusals, [("reason", error.label)])
        case .advertiserChanged(let advertiser): changeAdvertiser(to: advertiser.label)
        case .storeWritten(let record, let duration):
            metrics.count(.storeWrites, [("record", record.rawValue)])
            metrics.record(.storeWriteDuration, duration, [("record", record.rawValue)])
        case .storeFailed: metrics.count(.storeFailures)
        case .faultInjected: metrics.count(.faults)
        case .identifyRequested, .writeRefused, .characteristicUsed, .characteristicNotified, .configurationChanged,
            .listeningFailed,
            .listeningResumed, .behaviorTimeChanged, .faultApplied, .faultFinished:
            break
        }
    }

    private func changeConnectionCount(by difference: Int) {
        let count = state.withLock { state in
            state.connectionCount += difference
            return state.connectionCount
        }
        metrics.set(.connections, to: count)
    }

    private func updateSessions(_ change: (inout Set<ConnectionID>) -> Void) {
        let count = state.withLock { state in
            change(&state.sessions)
            return state.sessions.count
        }
        metrics.set(.sessions, to: count)
    }

    private func recordClose(_ id: ConnectionID, _ reason: CloseReason) {
        state.withLock { $0.requests.removeAll { $0.connection == id } }
        changeConnectionCount(by: -1)
        updateSessions { $0.remove(id) }
        metrics.count(.connectionsClosed, [("reason", reason.label)])
    }

    private func recordRequest(_ id: ConnectionID, _ path: String, at time: MonotonicInstant) {
        let request = Request(connection: id, endpoint: HAPEndpoint(path: path.utf8.span), received: time)
        state.withLock { state in
            state.requests.removeAll { $0.connection == id }
            state.requests.append(request)
        }
    }

    private func recordResponse(_ id: ConnectionID, _ status: HTTPStatus, at time: MonotonicInstant) {
        state.withLock { state in
            guard let place = state.requests.firstIndex(where: { $0.connection == id }) else { return }
            let request = state.requests.remove(at: place)
            let index = index(of: request.endpoint, in: &state.endpoints)
            counter(of: status, in: &state.endpoints[index]).increment()
            state.endpoints[index].duration.recordNanoseconds(time.nanoseconds &- request.received.nanoseconds)
        }
    }

    private func index(of endpoint: HAPEndpoint?, in endpoints: inout [EndpointMetrics]) -> Int {
        if let known = endpoints.firstIndex(where: { $0.endpoint == endpoint }) { return known }
        let timer = metrics.timer(.requestDuration, [("endpoint", endpoint.label)])
        endpoints.append(EndpointMetrics(endpoint: endpoint, duration: timer))
        return endpoints.count - 1
    }

    private func counter(of status: HTTPStatus, in endpoint: inout EndpointMetrics) -> Counter {
        if let known = endpoint.counters.first(where: { $0.status == status }) { return known.counter }
        let dimensions = [("endpoint", endpoint.endpoint.label), ("status", String(status.rawValue))]
        let counter = metrics.counter(.requests, dimensions)
        endpoint.counters.append((status, counter))
        return counter
    }

    private func countChange(by origin: ChangeOrigin) {
        let label = origin.label
        state.withLock { state in
            if let known = state.changes.first(where: { $0.origin == label }) { return known.counter.increment() }
            let counter = metrics.counter(.valueChanges, [("origin", label)])
            state.changes.append((label, counter))
            counter.increment()
        }
    }

    private func countEvent(of count: Int) {
        state.withLock { state in
            let counters = state.events ?? (metrics.counter(.events), metrics.counter(.eventValues))
            state.events = counters
            counters.messages.increment()
            counters.values.increment(by: count)
        }
    }

    private func changeAdvertiser(to label: String) {
        let before = state.withLock { state in
            defer { state.advertiserState = label }
            return state.advertiserState
        }
        if let before { metrics.set(.advertiserState, to: 0, [("state", before)]) }
        metrics.set(.advertiserState, to: 1, [("state", label)])
    }
}

extension HAPEndpoint? {
    /// The path without its slash; `other` for a path that the protocol does not have.
    fileprivate var label: String { self.map { String($0.path.dropFirst()) } ?? "other" }
}

extension PairingErrorCode {
    fileprivate var label: String { description.lowercased() }
}

extension AdvertiserState {
    /// The state as one word.
    package var label: String {
        switch self {
        case .idle: "idle"
        case .registering: "registering"
        case .advertised: "advertised"
        case .unavailable: "unavailable"
        case .withdrawing: "withdrawing"
        case .stopped: "stopped"
        }
    }
}
