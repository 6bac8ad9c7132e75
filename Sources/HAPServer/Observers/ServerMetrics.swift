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
        case faults = "hap_faults"
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
        instrument(\.counters, metric, dimensions, Counter.init).increment(by: amount)
    }

    /// Sets a meter.
    func set(_ metric: Metric, to value: Int, _ dimensions: Dimensions = []) {
        instrument(\.meters, metric, dimensions, Meter.init).set(value)
    }

    /// Records a duration with a timer.
    func record(_ metric: Metric, _ duration: Duration, _ dimensions: Dimensions = []) {
        instrument(\.timers, metric, dimensions, CoreMetrics.Timer.init).recordNanoseconds(duration.clampedNanoseconds)
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
