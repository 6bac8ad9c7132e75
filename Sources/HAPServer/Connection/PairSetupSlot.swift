internal import HAPCore

/// One pair-setup at a time: who is in it, and since when.
///
/// HAP: §6.3 (concurrency)
struct PairSetupSlot: Sendable {
    private(set) var owner: (id: ConnectionID, since: MonotonicInstant)?

    /// Whether `id` may begin: nobody else is at it, or that one has had its time and nothing of it is under way.
    func isFree(for id: ConnectionID, isOwnerWorking: Bool, patience: Duration, at now: MonotonicInstant) -> Bool {
        guard let owner, owner.id != id else { return true }
        return !isOwnerWorking && owner.since.advanced(by: patience) <= now
    }

    /// Keeps or gives up the slot, as the procedure of `id` stands now.
    ///
    /// Returns the owner that lost the slot to it, whose procedure has to begin again.
    mutating func update(_ id: ConnectionID, isInProgress: Bool, at now: MonotonicInstant) -> ConnectionID? {
        switch (owner, isInProgress) {
        case (let owner?, true) where owner.id != id:
            self.owner = (id, now)
            return owner.id
        case (nil, true):
            owner = (id, now)
        case (let owner?, false) where owner.id == id:
            self.owner = nil
        case (_?, _), (nil, false):
            break
        }
        return nil
    }

    /// Gives up the slot of an owner whose connection has closed, and whose work has come to its end.
    mutating func release(_ id: ConnectionID) {
        if owner?.id == id {
            owner = nil
        }
    }
}
