internal import CoreMetrics
internal import Synchronization

/// The counters, meters and timers of one server; each is created when it is first used.
final class ServerMetrics: Sendable {
    /// The metrics; the raw value is the label.
    enum Metric: String, CaseIterable {
        case requests = "hap_requests"
        case requestDuration = "hap_request_duration"
        case connections = "hap_connections"
        case connectionsClosed = "hap_connections_closed"
        case sessions = "hap_sessions"
        case protocolViolations = "hap_protocol_violations"
        case valueChanges = "hap_value_changes"
        case events = "hap_events"
        case eventValues = "hap_event_values"
        case eventsCoalesced = "hap_events_coalesced"
        case pairSetupAttempts = "hap_pair_setup_attempts"
        case pairSetupRefusals = "hap_pair_setup_refusals"
        case pairVerifyAttempts = "hap_pair_verify_attempts"
        case pairVerifyRefusals = "hap_pair_verify_refusals"
        case pairingChanges = "hap_pairing_changes"
        case storeWrites = "hap_store_writes"
        case storeWriteDuration = "hap_store_write_duration"
        case storeFailures = "hap_store_failures"
        case advertiserState = "hap_advertiser_state"
        case handlersSlow = "hap_handlers_slow"
        case handlerTimeouts = "hap_handler_timeouts"
        case handlerFailures = "hap_handler_failures"
        case driverEvents = "hap_driver_events"
        case faults = "hap_faults"

        /// What the metric measures, as in the guide.
        var summary: String {
            switch self {
            case .requests: "answered requests; a path that the protocol does not have is `other`"
            case .requestDuration: "from the arrival of a whole request to its response"
            case .connections: "open connections"
            case .connectionsClosed:
                "ended connections: `peer`, `protocol-violation`, `network`, `pairing-removed`, `limit`, "
                    + "`time-limit`, `stopping`, `fault-injection`"
            case .sessions: "connections of verified controllers"
            case .protocolViolations: "messages that break the protocol"
            case .valueChanges: "changes of values by a `controller`, the `program` or the `device`"
            case .events: "event messages"
            case .eventValues: "characteristics in event messages"
            case .eventsCoalesced:
                "changes that wait, until a second after the last event message or for a controller that does "
                    + "not read"
            case .pairSetupAttempts: "pair-setups that a controller begins"
            case .pairSetupRefusals:
                "refused pair-setups, by the error of the protocol: `authentication`, `busy`, `unavailable`, "
                    + "`maxtries` …"
            case .pairVerifyAttempts: "pair-verifies that ended, in a session or a refusal"
            case .pairVerifyRefusals: "refused pair-verifies"
            case .pairingChanges: "pairings that were `added`, changed ones too, or `removed`"
            case .storeWrites:
                "writes that are on disk: `identity`, `pairings`, `structure`, `values`; without those of the "
                    + "start"
            case .storeWriteDuration: "how long these took"
            case .storeFailures: "writes that failed; failed writes of values are repeated"
            case .advertiserState:
                "1 for the present state of the announcement, 0 for earlier ones: `idle`, `registering`, "
                    + "`advertised`, `unavailable`, `withdrawing`, `stopped`"
            case .handlersSlow: "calls of handlers that took 3 seconds"
            case .handlerTimeouts: "calls of handlers that took 9 seconds: a request that waits for one gets −70408"
            case .handlerFailures: "closures that threw or answered with a wrong value"
            case .driverEvents: "events of drivers, such as their starts and ends"
            case .faults: "faults that were injected"
            }
        }
    }

    typealias Dimensions = [(name: String, value: String)]

    private struct Key: Hashable {
        let metric: Metric
        /// Only the values, because the names are the same for each use of a metric.
        let values: [String]
    }

    private struct Instruments {
        var counters: [Key: Counter] = [:]
        var meters: [Key: Meter] = [:]
        var timers: [Key: CoreMetrics.Timer] = [:]
    }

    private let factory: any MetricsFactory
    private let server: String
    private let instruments = Mutex(Instruments())

    init(_ factory: any MetricsFactory, server: String) {
        self.factory = factory
        self.server = server
    }

    /// Adds to a counter.
    func count(_ metric: Metric, _ dimensions: Dimensions = [], by amount: Int = 1) {
        counter(metric, dimensions).increment(by: amount)
    }

    /// Sets a meter.
    func set(_ metric: Metric, to value: Int, _ dimensions: Dimensions = []) {
        instrument(\.meters, metric, dimensions, Meter.init).set(value)
    }

    /// Records a duration with a timer.
    func record(_ metric: Metric, _ duration: Duration, _ dimensions: Dimensions = []) {
        timer(metric, dimensions).recordNanoseconds(duration.clampedNanoseconds)
    }

    /// Returns a counter, for a caller that keeps it because it is needed often.
    func counter(_ metric: Metric, _ dimensions: Dimensions = []) -> Counter {
        instrument(\.counters, metric, dimensions, Counter.init)
    }

    /// Returns a timer, for a caller that keeps it because it is needed often.
    func timer(_ metric: Metric, _ dimensions: Dimensions) -> CoreMetrics.Timer {
        instrument(\.timers, metric, dimensions, CoreMetrics.Timer.init)
    }

    private func instrument<Instrument>(
        _ kind: any WritableKeyPath<Instruments, [Key: Instrument]> & Sendable,
        _ metric: Metric,
        _ dimensions: Dimensions,
        _ make: (_ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) -> Instrument
    ) -> Instrument where Instrument: Sendable {
        let key = Key(metric: metric, values: dimensions.map(\.value))
        return instruments.withLock { instruments in
            if let known = instruments[keyPath: kind][key] { return known }
            let new = make(metric.rawValue, [("server", server)] + dimensions.map { ($0.name, $0.value) }, factory)
            instruments[keyPath: kind][key] = new
            return new
        }
    }
}

extension MetricsObserver {
    /// Returns what a metric measures, by its name; `nil` for an unknown one.
    package static func summary(of name: String) -> String? {
        ServerMetrics.Metric(rawValue: name)?.summary
    }
}
