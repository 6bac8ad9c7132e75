/// What one reader has not yet been told: for each accessory at most one update, whatever has happened meanwhile.
struct PendingUpdates {
    /// In the order in which each became news; those of accessories by name.
    private var order: [Subject] = []
    private var updates: [Subject: DiscoveryUpdate] = [:]
    private var first = 0

    private enum Subject: Hashable {
        case accessory(String)
        case daemon
        case all
    }

    /// Takes one more update.
    mutating func append(_ update: DiscoveryUpdate) {
        let subject = Self.subject(of: update)
        guard let earlier = updates[subject] else {
            updates[subject] = update
            order.append(subject)
            return
        }
        switch Self.sum(of: earlier, and: update) {
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
        guard first < order.count else { return nil }
        let subject = order[first]
        first += 1
        if first == order.count || first > 1_024 {
            order.removeFirst(first)
            first = 0
        }
        defer { updates[subject] = nil }
        return updates[subject]
    }

    private mutating func remove(_ subject: Subject) {
        guard let index = order[first...].firstIndex(of: subject) else { return }
        order.remove(at: index)
    }

    private static func subject(of update: DiscoveryUpdate) -> Subject {
        switch update {
        case .appeared(let accessory), .changed(let accessory), .disappeared(let accessory): .accessory(accessory.name)
        case .available, .unavailable: .daemon
        case .sawAll: .all
        }
    }

    /// One update that tells what two tell in a row; `nil` when they come to nothing.
    private static func sum(of earlier: DiscoveryUpdate, and later: DiscoveryUpdate) -> DiscoveryUpdate? {
        switch (earlier, later) {
        case (.appeared, .changed(let accessory)), (.appeared, .appeared(let accessory)): .appeared(accessory)
        case (.appeared, .disappeared): nil
        case (.disappeared, .appeared(let accessory)): .changed(accessory)
        default: later
        }
    }
}
