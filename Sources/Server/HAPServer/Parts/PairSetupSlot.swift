internal import HAPCore

/// The single slot for pair-setup, and the order in which hosts get it.
///
/// A host's turn starts with its M1 and ends with the exchange. Another host can end the turn after ``turnTime``. It
/// can do so after ``shortTurnTime`` if the host repeats M1 more than once during its turn, or if an earlier turn of
/// the host was longer than that and had no proof. The next turn goes to the waiting host whose last turn is longest
/// ago. Each of n waiting hosts therefore gets a turn after at most n − 1 others, regardless of how many connections a
/// host opens and how often it sends M1.
///
/// A host counts as waiting for ``waitingTime`` after its last refused M1. HAP has no way to notify a controller, so
/// the controller must try again within that time.
///
/// HAP: §6.3 (concurrency)
struct PairSetupSlot: Sendable {
    /// The exchange that is under way.
    struct Owner: Sendable {
        let id: ConnectionID
        let host: PeerHost
        let since: MonotonicInstant
        /// The number of times that M1 was repeated.
        fileprivate(set) var restarts = 0
        /// The time of the last proof.
        fileprivate(set) var lastProof: MonotonicInstant?
        /// Whether the host has wasted a turn, that is, let it last longer than ``shortTurnTime`` without a proof, and
        /// has sent no proof since.
        fileprivate let hasWastedTurn: Bool
    }

    /// A host that has had a turn, or waits for one.
    fileprivate struct HostRecord {
        let host: PeerHost
        var lastSeen: MonotonicInstant
        /// The number of the last turn; 0 for none.
        var lastTurn: UInt64 = 0
        var hasWastedTurn = false
        /// The times of the first refusal since the last turn, and of the last one.
        var refusals: (first: MonotonicInstant, last: MonotonicInstant)?
    }

    /// The duration of a turn while another host waits, if the host has repeated M1 more than once or has wasted a
    /// turn.
    ///
    /// Also the duration of a turn while another connection of the same host waits.
    let shortTurnTime: Duration
    /// The duration of a turn while another host waits.
    let turnTime: Duration
    private(set) var owner: Owner?
    private var hosts: [HostRecord] = []
    private var turns: UInt64 = 0

    /// The time for which a host counts as waiting after a refused M1.
    static let waitingTime = Duration.seconds(30)
    /// The time after a proof within which M5 may follow.
    static let exchangeTime = Duration.seconds(10)
    /// The number of hosts that are remembered.
    ///
    /// Beyond it, the host that was seen longest ago is forgotten, but never the host of the owner.
    static let maximumHosts = 256
    /// The number of times that a controller may repeat M1 without shortening its turn: some versions of iOS repeat it
    /// once.
    private static let freeRestarts = 1

    /// The number of hosts that are remembered.
    var hostCount: Int { hosts.count }

    init(shortTurnTime: Duration, turnTime: Duration) {
        self.shortTurnTime = shortTurnTime
        self.turnTime = max(turnTime, shortTurnTime)
    }

    /// Returns whether an M1 of this connection starts an exchange now.
    ///
    /// - Parameter isOwnerWorking: Whether the owner's last message has not been answered yet.
    func isFree(for id: ConnectionID, of host: PeerHost, isOwnerWorking: Bool, at now: MonotonicInstant) -> Bool {
        if let owner {
            if owner.id == id, !isTurnFinished(owner, at: now) { return true }
            if owner.id != id, isOwnerWorking { return false }
            let end = owner.host == host ? owner.since.advanced(by: shortTurnTime) : turnEnd(of: owner)
            if owner.id != id, now < end { return false }
        }
        return !isOtherHostNext(before: host, at: now)
    }

    /// Begins the exchange for an M1, or restarts it.
    ///
    /// Returns the connection whose exchange ends because of it.
    mutating func begin(_ id: ConnectionID, of host: PeerHost, at now: MonotonicInstant) -> ConnectionID? {
        if let owner, owner.id == id, !isTurnFinished(owner, at: now) {
            self.owner?.restarts += 1
            return nil
        }
        let loser = owner.flatMap { $0.id == id ? nil : $0.id }
        endTurn(at: now)
        turns += 1
        let turn = turns
        let hasWastedTurn = updateRecord(of: host, at: now) { record in
            record.lastTurn = turn
            record.refusals = nil
            return record.hasWastedTurn
        }
        owner = Owner(id: id, host: host, since: now, hasWastedTurn: hasWastedTurn)
        return loser
    }

    /// Records that an M1 was refused because another connection has its turn, or is next.
    mutating func recordRefusal(of host: PeerHost, at now: MonotonicInstant) {
        updateRecord(of: host, at: now) { record in
            let isWaiting = record.isWaiting(at: now)
            record.refusals = (isWaiting ? record.refusals?.first ?? now : now, now)
        }
    }

    /// Records that the owner has sent a proof, which is the purpose of a turn.
    mutating func recordProof(of id: ConnectionID, at now: MonotonicInstant) {
        guard owner?.id == id else { return }
        owner?.lastProof = now
    }

    /// Ends the exchange of this connection, if it is the owner.
    mutating func release(_ id: ConnectionID, at now: MonotonicInstant) {
        guard owner?.id == id else { return }
        endTurn(at: now)
    }

    private mutating func endTurn(at now: MonotonicInstant) {
        guard let owner else { return }
        self.owner = nil
        guard let index = hosts.firstIndex(where: { $0.host == owner.host }) else { return }
        if owner.lastProof != nil {
            hosts[index].hasWastedTurn = false
        } else if owner.since.advanced(by: shortTurnTime) < now {
            hosts[index].hasWastedTurn = true
        }
    }

    private func isTurnFinished(_ owner: Owner, at now: MonotonicInstant) -> Bool {
        turnEnd(of: owner) <= now
    }

    private func turnEnd(of owner: Owner) -> MonotonicInstant {
        let isShort = owner.restarts > Self.freeRestarts || owner.hasWastedTurn
        let end = owner.since.advanced(by: isShort ? shortTurnTime : turnTime)
        // After a correct proof, M5 follows at once. A wrong proof has already ended the turn.
        guard let proof = owner.lastProof else { return end }
        return max(end, proof.advanced(by: Self.exchangeTime))
    }

    /// Returns whether another host comes before this one: its last turn is longer ago, or it never had one and has
    /// waited longer.
    private func isOtherHostNext(before host: PeerHost, at now: MonotonicInstant) -> Bool {
        let own = hosts.first { $0.host == host }
        let place = (own?.lastTurn ?? 0, own.flatMap { $0.isWaiting(at: now) ? $0.refusals?.first : nil } ?? now)
        return hosts.contains { other in
            guard other.host != host, other.isWaiting(at: now), let refusals = other.refusals else { return false }
            return (other.lastTurn, refusals.first) < place
        }
    }

    @discardableResult
    private mutating func updateRecord<Result>(
        of host: PeerHost,
        at now: MonotonicInstant,
        _ change: (inout HostRecord) -> Result
    ) -> Result {
        if let index = hosts.firstIndex(where: { $0.host == host }) {
            hosts[index].lastSeen = now
            return change(&hosts[index])
        }
        if hosts.count >= Self.maximumHosts,
            let oldest = hosts.indices.filter({ hosts[$0].host != owner?.host })
                .min(by: { hosts[$0].lastSeen < hosts[$1].lastSeen })
        {
            hosts.remove(at: oldest)
        }
        var record = HostRecord(host: host, lastSeen: now)
        let result = change(&record)
        hosts.append(record)
        return result
    }
}

extension PairSetupSlot.HostRecord {
    func isWaiting(at now: MonotonicInstant) -> Bool {
        guard let refusals else { return false }
        return now < refusals.last.advanced(by: PairSetupSlot.waitingTime)
    }
}
