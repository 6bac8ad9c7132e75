internal import HAPCore

/// What has begun and is to end.
package struct PendingEnd: Sendable, Hashable {
    /// What it waits for.
    package enum Awaiting: Sendable, Hashable {
        /// For its characteristic.
        case endTest
        /// For an instant.
        case instant(WallInstant)
    }

    /// When the automation ran.
    package internal(set) var start: WallInstant
    /// What it waits for.
    package var awaiting: Awaiting
    /// What was before the run, of which it was known.
    package let restoringActions: [HomeAction]
    /// Whether the first value that is seen counts: it may have become so while nobody looked.
    var acceptsFirstValue = false
    /// What the run came of, the automation itself the last.
    var chain: CauseTracker.Chain

    /// Creates an end as it was kept.
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

    /// Decodes an end.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            start: try stored.decode(forKey: .start),
            awaiting: try stored.decodeIfPresent(WallInstant.self, forKey: .until).map { .instant($0) } ?? .endTest,
            restoringActions: try stored.decode(forKey: .before)
        )
    }

    /// Encodes the end.
    package func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        try stored.encode(start, forKey: .start)
        if case .instant(let instant) = awaiting { try stored.encode(instant, forKey: .until) }
        try stored.encode(restoringActions, forKey: .before)
    }
}
