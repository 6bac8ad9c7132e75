internal import AsyncPrimitives
internal import DequeModule
internal import HAPCore

/// A change of the accessories on this network.
public enum DiscoveryUpdate: Sendable, Hashable {
    /// A new accessory was found.
    case appeared(DiscoveredAccessory)
    /// The accessory with this name has another address or another record.
    case changed(DiscoveredAccessory)
    /// An accessory was withdrawn or no longer answers; this is its last known state.
    case disappeared(DiscoveredAccessory)
    /// Everything has been reported that the daemon knew or received in reply to its first query.
    ///
    /// Accessories that are slow to answer are reported later.
    case allForNow
    /// A daemon answers and finds accessories.
    case available
    /// Nothing can be found until ``available``, for this reason; reported accessories may be outdated.
    case unavailable(DiscoveryError)
}

/// The updates that a reader has not read yet, at most one per accessory.
struct PendingUpdates {
    /// The subjects with a waiting update, in the order in which each was added.
    private var order: Deque<Subject> = []
    private var updates: [Subject: DiscoveryUpdate] = [:]
    /// The only accessory of interest; `nil` for all.
    private let deviceID: DeviceID?

    private enum Subject: Hashable {
        /// The only accessory of interest, under any name.
        case selected
        case accessory(String)
        case daemon
        case all
    }

    /// Creates a buffer for all updates, or for one accessory's latest update and the daemon's availability.
    init(of deviceID: DeviceID? = nil) {
        self.deviceID = deviceID
    }

    /// Adds an update.
    mutating func append(_ update: DiscoveryUpdate) {
        guard let subject = subject(of: update) else { return }
        guard let earlier = updates[subject] else {
            updates[subject] = update
            order.append(subject)
            return
        }
        switch Self.merged(earlier, with: update) {
        case let sum?:
            updates[subject] = sum
            // The report that all known accessories have been reported must come after them.
            guard case .all = subject else { return }
            remove(subject)
            order.append(subject)
        case nil:
            updates[subject] = nil
            remove(subject)
        }
    }

    /// Removes the first update.
    mutating func popFirst() -> DiscoveryUpdate? {
        order.popFirst().flatMap { updates.removeValue(forKey: $0) }
    }

    private mutating func remove(_ subject: Subject) {
        guard let index = order.firstIndex(of: subject) else { return }
        order.remove(at: index)
    }

    private func subject(of update: DiscoveryUpdate) -> Subject? {
        switch update {
        case .appeared(let accessory) where deviceID != nil, .changed(let accessory) where deviceID != nil:
            accessory.deviceID == deviceID ? .selected : nil
        case .disappeared where deviceID != nil, .allForNow where deviceID != nil:
            nil
        case .appeared(let accessory), .changed(let accessory), .disappeared(let accessory): .accessory(accessory.name)
        case .available, .unavailable: .daemon
        case .allForNow: .all
        }
    }

    /// Combines two consecutive updates; `nil` if they cancel each other.
    private static func merged(_ earlier: DiscoveryUpdate, with later: DiscoveryUpdate) -> DiscoveryUpdate? {
        switch (earlier, later) {
        case (.appeared, .changed(let accessory)), (.appeared, .appeared(let accessory)): .appeared(accessory)
        case (.appeared, .disappeared): nil
        case (.disappeared, .appeared(let accessory)): .changed(accessory)
        default: later
        }
    }
}

extension PendingUpdates: MailboxBuffer {
    mutating func enqueue(_ update: DiscoveryUpdate) -> Bool {
        append(update)
        return !order.isEmpty
    }

    mutating func dequeue() -> DiscoveryUpdate? {
        popFirst()
    }
}
