internal import AccessoryModel
internal import AsyncPrimitives
internal import DequeModule
internal import Glibc
internal import HAPServer
package import HomeModel
package import HomeRuntime
package import Hosting
package import Simulation
internal import Synchronization

/// The latest events of everything that the console shows, in order, with increasing ids.
///
/// Writers only append: a server's observer runs on the server's event loop. Readers, such as event streams, each have
/// their own position, so a slow reader costs no memory. When the journal is full, the oldest events are dropped, and a
/// reader that comes later learns how many it missed. Metrics and the histories of values outlive the events.
package final class EventJournal: Sendable {
    /// The number of events that can be replayed.
    package static let capacity = 10_240

    /// The metrics of all servers.
    let metrics = PrometheusRegistry()
    /// The latest values of characteristics.
    private let history = Mutex(ValueHistory())
    private let state: Mutex<State>
    private let known = Mutex(KnownServers())
    /// The scenario that runs in the process, with its progress.
    private let runningScenario = Mutex<ScenarioResource?>(nil)
    private let clock: @Sendable () -> EventTime
    /// The id of the first event.
    private let firstID: UInt64

    private struct State {
        /// The events; the event with the id `n` is at `(n - firstID) % capacity`.
        var entries: [Entry] = []
        /// The index at which the next event replaces the oldest one, once all entries are in use.
        var nextIndex = 0
        var nextID: UInt64
        var waiters: [Waiter] = []
        /// The lowest id for which a reader waits.
        var wakeID = UInt64.max
    }

    /// An event without its id, which follows from its position.
    private struct Entry {
        let time: EventTime
        let content: StoredContent
    }

    /// A reader that waits for an event.
    private struct Waiter {
        let id: UInt64
        let signal: AsyncSignal
    }

    /// Creates an empty journal.
    ///
    /// - Parameter clock: Returns the current time.
    package init(clock: @escaping @Sendable () -> EventTime = { .now }) {
        self.clock = clock
        // The ids of a later process are greater, so that a client that reconnects after a restart is not confused.
        // They can be exactly represented by JavaScript's numbers.
        // They are microseconds at first, because a process can be restarted within a second.
        firstID = UInt64(max(clock().nanoseconds, 0)) / 1_000 + 1
        var initial = State(nextID: firstID)
        // An array that grows would copy its events. The memory is in use only from the first event on.
        initial.entries.reserveCapacity(Self.capacity)
        state = Mutex(initial)
    }

    /// The id of the latest event; before the first one, the id that precedes it.
    package var lastID: UInt64 { state.withLock { $0.nextID - 1 } }

    /// The current time of the journal's clock.
    var now: EventTime { clock() }

    /// Appends an event.
    package func append(_ content: ConsoleEvent.Content) {
        append(stored: .other(StoredContent.Other(content)))
    }

    /// Appends an event in the form in which it is stored.
    ///
    /// The content is created in its place, since each copy would count: see ``StoredContent``.
    @inline(__always)
    func append(stored content: @autoclosure () -> StoredContent) {
        let wakesReaders = state.withLock { state in
            let time = clock()
            if state.entries.count < Self.capacity {
                state.entries.append(Entry(time: time, content: content()))
            } else {
                state.entries[state.nextIndex] = Entry(time: time, content: content())
                state.nextIndex = state.nextIndex + 1 < Self.capacity ? state.nextIndex + 1 : 0
            }
            let id = state.nextID
            state.nextID = id &+ 1
            return id >= state.wakeID
        }
        if wakesReaders { wakeReaders() }
    }

    /// Returns the events after a position, and the number of those that were dropped before they were read.
    ///
    /// A position of an earlier process, or one that does not exist, is before the oldest event. Nothing is known of the
    /// events in between, which count as one dropped event.
    ///
    /// - Parameters:
    ///   - id: The id of the last event that the reader has seen; 0 for all events.
    ///   - limit: The maximum number of events, at least 1.
    package func events(after id: UInt64, limit: Int = .max) -> (events: [ConsoleEvent], missed: UInt64) {
        state.withLock { state in
            let last = state.nextID - 1
            guard id != last, !state.entries.isEmpty else { return ([], 0) }
            let oldest = state.nextID - UInt64(state.entries.count)
            let isKnown = id < last && id >= firstID - 1
            let first = isKnown ? max(id + 1, oldest) : oldest
            let end = first + min(last - first, UInt64(clamping: max(limit, 1) - 1))
            let missed = isKnown ? first - id - 1 : id == 0 ? 0 : 1
            let events = (first...end)
                .map { id in
                    let entry = state.entries[index(of: id)]
                    return ConsoleEvent(id: id, time: entry.time, content: entry.content.content)
                }
            return (events, missed)
        }
    }

    /// Keeps a value of a characteristic, which applies from now on; `nil` for a press of a button.
    func append(_ value: CharacteristicValue?, to characteristic: ServerCharacteristicID) {
        let entry = ValueHistory.Entry(time: clock(), value: value)
        history.withLock { $0.append(entry, to: characteristic) }
    }

    /// Returns the latest values of a characteristic, the oldest first.
    package func values(of characteristic: ServerCharacteristicID) -> [ValueHistory.Entry] {
        history.withLock { $0.entries(of: characteristic) }
    }

    /// Forgets the values of a server.
    func removeValues(of server: Int) {
        history.withLock { $0.removeAll(of: server) }
    }

    /// Waits until there are events after a position, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - id: The id of the last event that the reader has seen.
    ///   - count: The number of later events to wait for.
    package nonisolated(nonsending) func waitForEvents(after id: UInt64, count: UInt64 = 1) async {
        let signal = AsyncSignal()
        // A position of an earlier process is before the first event.
        let (sum, overflows) = max(id, firstID - 1).addingReportingOverflow(count)
        let wanted = overflows ? UInt64.max : sum
        let isWaiting = state.withLock { state in
            guard wanted >= state.nextID else { return false }
            state.waiters.append(Waiter(id: wanted, signal: signal))
            state.wakeID = min(state.wakeID, wanted)
            return true
        }
        guard isWaiting else { return }
        await signal.wait()
        state.withLock { state in Self.removeWaiters(from: &state) { $0.signal === signal } }
    }

    private func index(of id: UInt64) -> Int {
        Int((id - firstID) % UInt64(Self.capacity))
    }

    private func wakeReaders() {
        state.withLock { state in
            let id = state.nextID - 1
            for waiter in state.waiters where waiter.id <= id { waiter.signal.signal() }
            Self.removeWaiters(from: &state) { $0.id <= id }
        }
    }

    private static func removeWaiters(from state: inout State, where isRemoved: (Waiter) -> Bool) {
        state.waiters.removeAll(where: isRemoved)
        state.wakeID = state.waiters.lazy.map(\.id).min() ?? .max
    }
}

/// The current servers, and the last ones that were removed.
private struct KnownServers {
    /// The number of removed servers whose events are described.
    private static let rememberedServers = 100

    private(set) var servers: [HostedServer.ID: KnownServer] = [:]
    private var removed: Deque<HostedServer.ID> = []

    mutating func add(_ server: KnownServer) {
        servers[server.identity.id] = server
    }

    /// Forgets a server later, and returns whether another one has its name.
    mutating func remove(_ server: HostedServer.Identity) -> Bool {
        if removed.count == Self.rememberedServers, let first = removed.popFirst() { servers[first] = nil }
        removed.append(server.id)
        let gone = Set(removed)
        return servers.values.contains { $0.identity.name == server.name && !gone.contains($0.identity.id) }
    }
}

/// The journal learns of everything that happens on a host.
extension EventJournal: HostObserver {
    package func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? {
        let server = KnownServer(server)
        known.withLock { $0.add(server) }
        return ConsoleObserver(of: server, self)
    }

    package func observer(
        of home: Home,
        on clock: any HomeClock,
        from start: WallInstant
    ) -> (any HostedHomeObserver)? {
        ConsoleHomeObserver(self)
    }

    package func observer(of plan: ScenarioPlan) -> (any HostedScenarioObserver)? {
        runningScenario.withLock { $0 = ScenarioResource(plan) }
        return ConsoleScenarioObserver(name: plan.name, journal: self)
    }

    package func observe(_ change: HostChange) async {
        switch change {
        case .added(let server): append(.serverAdded(key: server.key, name: server.name))
        case .removed(let server): append(.serverRemoved(key: server.key, name: server.name))
        }
    }

    package func report(_ note: HostNote) {
        switch note {
        case .fileChanged(let name, let text): append(.definitionChanged(file: name.text, message: text.printable))
        case .folderChanged(let text): append(.definitionFolderChanged(message: text.printable))
        case .line, .event, .warning: break
        }
    }

    /// The scenario that runs in the process with its progress, or `nil` if there is none.
    var scenario: ScenarioResource? { runningScenario.withLock { $0 } }

    /// Records the progress of the scenario.
    func changeScenario(_ change: (inout ScenarioResource?) -> Void) {
        runningScenario.withLock { change(&$0) }
    }

    /// Returns what describes the events of a server, which may have been removed.
    package func server(_ id: HostedServer.ID) -> KnownServer? {
        known.withLock { $0.servers[id] }
    }

    /// Forgets the metrics and the values of a server that has ended, or that could not start.
    func forget(_ server: HostedServer.Identity) {
        removeValues(of: server.id)
        let isNameUsed = known.withLock { $0.remove(server) }
        if !isNameUsed { metrics.removeAll(of: server.name) }
    }
}

/// A time of day with its date, in nanoseconds since 1970.
package struct EventTime: Sendable, Hashable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current time of the machine.
    package static var now: EventTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return EventTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time as in RFC 3339, in UTC with milliseconds: `2026-11-25T20:05:00.123Z`.
    package var text: String {
        let rest = nanoseconds % 1_000_000_000
        let milliseconds = (rest < 0 ? rest + 1_000_000_000 : rest) / 1_000_000
        let seconds = WallInstant(nanoseconds: nanoseconds).description.dropLast()
        return "\(seconds).\(String(milliseconds + 1_000).dropFirst())Z"
    }
}
