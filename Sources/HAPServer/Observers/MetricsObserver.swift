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
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    private struct State {
        /// The unanswered request of each connection.
        var requests: [ConnectionID: Request] = [:]
        var connectionCount = 0
        var sessions: Set<ConnectionID> = []
        var advertiserState: String?
    }

    private struct Request {
        let endpoint: HAPEndpoint?
        let received: ContinuousClock.Instant
    }

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - factory: Creates counters, meters and timers.
    ///   - server: The name of the server.
    public convenience init(_ factory: any MetricsFactory, server: String) {
        self.init(factory, server: server, now: { .now })
    }

    /// Creates an observer with a clock that the caller advances, to measure events that were recorded.
    package init(_ factory: any MetricsFactory, server: String, now: @escaping @Sendable () -> ContinuousClock.Instant)
    {
        metrics = ServerMetrics(factory, server: server)
        // A counter that appears with its first failure shows no increase, so alerts would miss it.
        metrics.count(.storeFailures, by: 0)
        metrics.count(.pairSetupRefusals, [("reason", PairingErrorCode.authentication.label)], by: 0)
        self.now = now
    }

    /// Counts an event, or records the duration of the operation that it ends.
    public func observe(_ event: ServerEvent) {
        switch event {
        case .connectionOpened: changeConnectionCount(by: 1)
        case .connectionClosed(let id, let reason): recordClose(id, reason)
        case .sessionVerified(let id, _):
            metrics.count(.pairVerifyAttempts)
            updateSessions { $0.insert(id) }
        case .requestReceived(let id, _, let path):
            let request = Request(endpoint: HAPEndpoint(rawValue: path), received: now())
            state.withLock { $0.requests[id] = request }
        case .responseSent(let id, let status): recordResponse(id, status)
        case .protocolViolation: metrics.count(.protocolViolations)
        case .valueChanged(_, _, _, let origin): metrics.count(.valueChanges, [("origin", origin.label)])
        case .eventSent(_, let count):
            metrics.count(.events)
            metrics.count(.eventValues, by: count)
        case .eventCoalesced: metrics.count(.eventsCoalesced)
        case .handlerFailed: metrics.count(.handlerFailures)
        case .handlerSlow: metrics.count(.handlersSlow)
        case .handlerTimedOut: metrics.count(.handlerTimeouts)
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
        case .identifyRequested, .characteristicUsed, .characteristicNotified, .configurationChanged, .listeningFailed,
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
        state.withLock { $0.requests[id] = nil }
        changeConnectionCount(by: -1)
        updateSessions { $0.remove(id) }
        metrics.count(.connectionsClosed, [("reason", reason.label)])
    }

    private func recordResponse(_ id: ConnectionID, _ status: HTTPStatus) {
        guard let request = state.withLock({ $0.requests.removeValue(forKey: id) }) else { return }
        let endpoint = request.endpoint?.label ?? "other"
        metrics.count(.requests, [("endpoint", endpoint), ("status", String(status.rawValue))])
        metrics.record(.requestDuration, request.received.duration(to: now()), [("endpoint", endpoint)])
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

extension HAPEndpoint {
    /// The path without its slash.
    fileprivate var label: String { String(rawValue.dropFirst()) }
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
