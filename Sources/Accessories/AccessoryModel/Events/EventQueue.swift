package import HAPCore

/// A queue of the unsent events of one connection, with their send times.
///
/// The first change is sent at once. After that, at most one message per second is sent, with the latest value of each
/// changed characteristic. Button events are not delayed, and the waiting events are sent with them.
///
/// HAP: §14, §0 (timing)
package struct EventQueue: Sendable {
    /// The minimum time between two event messages that HAP requires.
    package static let standardInterval = Duration.seconds(1)

    /// The maximum number of waiting button presses; when it is exceeded, the oldest press is dropped.
    package static let maximumPendingPresses = 64

    /// The waiting events.
    ///
    /// They are a stored property so that other modules read them without copying the queue.
    package private(set) var pending: [PendingEvent] = []
    private let minimumInterval: Duration
    private var lastSent: MonotonicInstant?
    private var batchStart: MonotonicInstant?
    /// The time for which changes are collected, counted from the first change.
    ///
    /// If it is `nil`, as HAP requires, the queue spaces messages by ``minimumInterval`` instead.
    package var batchDuration: Duration?
    /// The characteristics whose waiting events are not delayed.
    private var urgentIDs: Set<CharacteristicID> = []
    /// The position of each characteristic's first event in `pending`; empty while there are few events, and after a
    /// removal.
    private var positions: [CharacteristicID: Int] = [:]

    /// The maximum number of events for which a linear search is used.
    private static let linearSearchLimit = 16

    /// Creates an empty queue.
    ///
    /// - Parameter minimumInterval: The minimum time between two event messages.
    package init(minimumInterval: Duration = standardInterval) { self.minimumInterval = minimumInterval }

    /// Records the time of the first change of a batch.
    ///
    /// Call this method before ``enqueue(_:isUrgent:)`` if ``batchDuration`` may be set.
    package mutating func startBatchIfNeeded(at now: MonotonicInstant) {
        if batchDuration != nil, pending.isEmpty {
            batchStart = now
        }
    }

    /// Adds a change to the queue.
    package mutating func enqueue(_ event: PendingEvent, isUrgent: Bool) {
        if isUrgent {
            // Each press counts, so it is added after an earlier press instead of replacing it.
            append(event)
            urgentIDs.insert(event.id)
            dropExcessPress()
        } else if let earlier = position(of: event.id) {
            pending[earlier].value = event.value
        } else {
            append(event)
        }
    }

    /// Adds changes of several characteristics, at most one for each, none of which is urgent.
    package mutating func enqueue(contentsOf events: [PendingEvent]) {
        let replacesAll =
            urgentIDs.isEmpty && pending.count == events.count
            && zip(pending, events).allSatisfy { $0.id == $1.id }
        guard pending.isEmpty || replacesAll else {
            for event in events {
                enqueue(event, isUrgent: false)
            }
            return
        }
        // The queues of many connections share one list until they differ.
        pending = events
    }

    /// The number of waiting events.
    package var count: Int {
        pending.count
    }

    /// Returns the given characteristics that have a waiting change.
    package func pendingIDs(among ids: Set<CharacteristicID>) -> [CharacteristicID] {
        pending.lazy.map(\.id).filter(ids.contains)
    }

    /// Drops the waiting events of a characteristic that was unsubscribed.
    package mutating func drop(_ id: CharacteristicID) {
        drop(CollectionOfOne(id))
    }

    /// Drops the waiting events of several characteristics.
    package mutating func drop(_ ids: some Collection<CharacteristicID>) {
        guard !pending.isEmpty else { return }
        var dropped: Set<CharacteristicID> = []
        for id in ids where position(of: id) != nil {
            dropped.insert(id)
        }
        guard !dropped.isEmpty else { return }
        pending.removeAll { dropped.contains($0.id) }
        positions = [:]
        urgentIDs.subtract(dropped)
    }

    private mutating func append(_ event: PendingEvent) {
        if !positions.isEmpty, positions[event.id] == nil {
            positions[event.id] = pending.count
        }
        pending.append(event)
    }

    /// Returns the position of a characteristic's first event.
    private mutating func position(of id: CharacteristicID) -> Int? {
        guard pending.count > Self.linearSearchLimit else { return pending.firstIndex { $0.id == id } }
        if positions.isEmpty {
            positions = Dictionary(zip(pending.lazy.map(\.id), pending.indices)) { first, _ in first }
        }
        return positions[id]
    }

    /// The time of the next message, or `nil` if no event waits.
    ///
    /// An instant in the past means now.
    package var deadline: MonotonicInstant? {
        guard !pending.isEmpty else { return nil }
        if urgentIDs.isEmpty, let batchDuration, let batchStart {
            return batchStart.advanced(by: batchDuration)
        }
        guard urgentIDs.isEmpty, let lastSent else { return MonotonicInstant(nanoseconds: .min) }
        return lastSent.advanced(by: minimumInterval)
    }

    /// Removes and returns the events that are due at `now` and fit into one message.
    ///
    /// An event that does not fit waits for a later message, and so do later events of the same characteristic. Events
    /// of other characteristics do not wait for it.
    ///
    /// - Parameter availableBytes: The number of bytes that responses and events of other connections do not use.
    package mutating func dequeueDue(at now: MonotonicInstant, availableBytes: Int = .max) -> [PendingEvent] {
        guard let deadline, deadline <= now else { return [] }
        var budget = ResponseBudget(itemCount: 0, availableBytes: availableBytes)
        let fits = pending.allSatisfy { budget.reserveItem($0.value.maximumJSONSize) }
        guard !fits else {
            lastSent = now
            urgentIDs = []
            defer {
                pending = []
                positions = [:]
            }
            return pending
        }
        return dequeueFitting(at: now, ResponseBudget(itemCount: 0, availableBytes: availableBytes))
    }

    private mutating func dequeueFitting(at now: MonotonicInstant, _ budget: consuming ResponseBudget) -> [PendingEvent]
    {
        var taken: [PendingEvent] = []
        var waiting: [PendingEvent] = []
        var waitingIDs: Set<CharacteristicID> = []
        for event in pending {
            if !waitingIDs.contains(event.id), budget.reserveItem(event.value.maximumJSONSize) {
                taken.append(event)
            } else {
                waiting.append(event)
                waitingIDs.insert(event.id)
            }
        }
        guard !taken.isEmpty else { return [] }
        lastSent = now
        batchStart = now
        pending = waiting
        positions = [:]
        urgentIDs.formIntersection(waitingIDs)
        return taken
    }

    private mutating func dropExcessPress() {
        guard pending.count > Self.maximumPendingPresses,
            pending.count(where: { urgentIDs.contains($0.id) }) > Self.maximumPendingPresses,
            let oldest = pending.firstIndex(where: { urgentIDs.contains($0.id) })
        else { return }
        let dropped = pending.remove(at: oldest)
        positions = [:]
        if !pending.contains(where: { $0.id == dropped.id }) {
            urgentIDs.remove(dropped.id)
        }
    }
}

/// A change of a characteristic that is waiting to be sent to one connection.
package struct PendingEvent: Sendable, Hashable {
    package let id: CharacteristicID
    /// The new value, or `nil` if the value could not be read.
    package var value: CharacteristicValue?

    package init(id: CharacteristicID, value: CharacteristicValue?) {
        self.id = id
        self.value = value
    }
}
