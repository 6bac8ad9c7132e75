internal import HAPCore

/// The pending end of an automation that has run.
package struct PendingEnd: Sendable, Hashable {
    /// The event that the end waits for.
    package enum Awaiting: Sendable, Hashable {
        /// The end's test must become true.
        case endTest
        /// An instant must be reached.
        case instant(WallInstant)
    }

    /// The instant of the automation's run.
    package internal(set) var start: WallInstant
    /// The event that the end waits for.
    package var awaiting: Awaiting
    /// The actions that restore the values before the run, as far as they were known.
    package let restoringActions: [HomeAction]
    /// Whether the first known value may fulfill the test, because the value may have changed while no engine was
    /// running.
    var acceptsFirstValue = false
    /// The chain of automations that led to the run, the automation itself last.
    var chain: CauseTracker.Chain

    /// Creates a pending end from its stored parts.
    package init(start: WallInstant, awaiting: Awaiting, restoringActions: [HomeAction]) {
        self.init(start: start, awaiting: awaiting, restoringActions: restoringActions, chain: [])
    }

    init(start: WallInstant, awaiting: Awaiting, restoringActions: [HomeAction], chain: CauseTracker.Chain) {
        self.start = start
        self.awaiting = awaiting
        self.restoringActions = restoringActions
        self.chain = chain
    }
}

extension PendingEnd: Codable {
    private enum CodingKeys: String, CodingKey {
        case start, until, before
    }

    /// Decodes a pending end.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            start: try stored.decode(forKey: .start),
            awaiting: try stored.decodeIfPresent(WallInstant.self, forKey: .until).map { .instant($0) } ?? .endTest,
            restoringActions: try stored.decode(forKey: .before)
        )
    }

    /// Encodes the pending end.
    package func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        try stored.encode(start, forKey: .start)
        if case .instant(let instant) = awaiting { try stored.encode(instant, forKey: .until) }
        try stored.encode(restoringActions, forKey: .before)
    }
}
