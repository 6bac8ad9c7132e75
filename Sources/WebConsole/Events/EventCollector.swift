internal import AccessoryModel
internal import HAPServer
internal import Simulation
internal import Synchronization

/// A reader of the journal that counts the metrics and collects the history of values.
///
/// It reads in batches: when a client asks, and before the journal drops events that it has not read. So a request of
/// a controller costs no more than the append.
actor EventCollector {
    /// The number of unread events after which it reads by itself.
    private static let batch = UInt64(EventJournal.capacity / 4)

    private let journal: EventJournal
    private let registry: PrometheusRegistry
    /// The metrics of each server, by its number in the journal.
    private var metrics: [Int: (name: String, observer: MetricsObserver)] = [:]
    private let clock = ReplayClock()
    private var position: UInt64 = 0
    private var history = ValueHistory()
    /// The number of events that were dropped before they were read.
    private(set) var missed: UInt64 = 0

    /// Creates a collector.
    ///
    /// - Parameters:
    ///   - names: The names of the servers for the metrics, by their numbers in the journal.
    ///   - registry: The registry of the metrics.
    init(_ journal: EventJournal, servers names: [Int: String], _ registry: PrometheusRegistry) {
        self.journal = journal
        self.registry = registry
        let clock = clock
        metrics = names.mapValues { ($0, MetricsObserver(registry, server: $0, now: { clock.now })) }
    }

    /// Begins to count the events of a server.
    func add(_ server: Int, named name: String) {
        let clock = clock
        metrics[server] = (name, MetricsObserver(registry, server: name, now: { clock.now }))
    }

    /// Forgets the metrics and the values of a server.
    func remove(_ server: Int) {
        catchUp()
        history.removeAll(of: server)
        guard let name = metrics.removeValue(forKey: server)?.name else { return }
        if !metrics.values.contains(where: { $0.name == name }) { registry.removeAll(of: name) }
    }

    /// Reads until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await journal.waitForEvents(after: position, count: Self.batch)
            catchUp()
        }
    }

    /// Reads everything up to the present.
    func catchUp() {
        var batch = journal.events(after: position, limit: 512)
        while !batch.events.isEmpty {
            missed += batch.missed
            collect(batch.events)
            batch = journal.events(after: position, limit: 512)
        }
    }

    private func collect(_ events: [ConsoleEvent]) {
        for event in events {
            position = event.id
            guard case .server(let server, let content) = event.content else { continue }
            clock.set(event.time)
            guard let observer = metrics[server]?.observer else { continue }
            observer.observe(content)
            if case .valueChanged(let id, _, let value, by: _) = content {
                history.append(.init(time: event.time, value: value), to: ServerCharacteristicID(server: server, id))
            }
        }
    }

    /// Returns the history of a characteristic up to the present.
    func history(of characteristic: ServerCharacteristicID) -> [ValueHistory.Entry] {
        catchUp()
        return history.entries(of: characteristic)
    }
}

/// A clock that shows the time of the event that is being read.
private final class ReplayClock: Sendable {
    private let origin = (instant: ContinuousClock.now, time: EventTime.now)
    private let current: Mutex<ContinuousClock.Instant>

    init() {
        current = Mutex(origin.instant)
    }

    var now: ContinuousClock.Instant { current.withLock { $0 } }

    func set(_ time: EventTime) {
        let offset = Duration.nanoseconds(time.nanoseconds - origin.time.nanoseconds)
        current.withLock { $0 = origin.instant.advanced(by: offset) }
    }
}
