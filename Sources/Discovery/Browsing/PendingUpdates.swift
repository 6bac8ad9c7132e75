internal import AsyncPrimitives
internal import DequeModule
internal import HAPCore

/// What happens to the accessories in this network.
public enum DiscoveryUpdate: Sendable, Hashable {
    /// An accessory is there that was not.
    case appeared(DiscoveredAccessory)
    /// An accessory of this name has another place, or says something else of itself.
    case changed(DiscoveredAccessory)
    /// An accessory has said goodbye, or does not answer any more; this is what was known of it.
    case disappeared(DiscoveredAccessory)
    /// Everything that the daemon knew or heard of when it asked the network once has been told.
    ///
    /// Accessories that are slow to answer follow.
    case allForNow
    /// A daemon answers that finds accessories.
    case available
    /// Nothing is found until ``available``, for this reason; what was told may be past.
    case unavailable(DiscoveryError)
}

/// What one reader has not yet been told: for each accessory at most one update, whatever has happened meanwhile.
struct PendingUpdates {
    /// In the order in which each became news; those of accessories by name.
    private var order: Deque<Subject> = []
    private var updates: [Subject: DiscoveryUpdate] = [:]
    /// The only accessory whose news are wanted; `nil` wants all.
    private let deviceID: DeviceID?

    private enum Subject: Hashable {
        /// The only one that is wanted, under whatever name.
        case selected
        case accessory(String)
        case daemon
        case all
    }

    /// Keeps everything, or the latest of where one accessory is and what it says, and whether there is a daemon to ask.
    init(of deviceID: DeviceID? = nil) {
        self.deviceID = deviceID
    }

    /// Takes one more update.
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
            // That everything was told comes behind what it speaks of.
            guard case .all = subject else { return }
            remove(subject)
            order.append(subject)
        case nil:
            updates[subject] = nil
            remove(subject)
        }
    }

    /// Takes out the first one.
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

    /// One update that tells what two tell in a row; `nil` when they come to nothing.
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
