internal import HAPCore

/// What has begun and is to end.
package struct PendingEnd: Sendable, Hashable {
    /// What it waits for.
    package enum Phase: Sendable, Hashable {
        /// For its characteristic.
        case characteristic
        /// For an instant.
        case until(WallInstant)
    }

    /// When the automation ran.
    package internal(set) var start: WallInstant
    /// What it waits for.
    package var phase: Phase
    /// What was before the run, of which it was known.
    package let before: [HomeAction]
    /// Whether the first value that is seen counts: it may have become so while nobody looked.
    var takesFirstValue = false
    /// What the run came of, the automation itself the last.
    var chain: CauseBook.Chain

    /// Creates an end as it was kept.
    package init(start: WallInstant, phase: Phase, before: [HomeAction]) {
        self.init(start: start, phase: phase, before: before, chain: [])
    }

    init(start: WallInstant, phase: Phase, before: [HomeAction], chain: CauseBook.Chain) {
        self.start = start
        self.phase = phase
        self.before = before
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
            phase: try stored.decodeIfPresent(WallInstant.self, forKey: .until).map { .until($0) } ?? .characteristic,
            before: try stored.decode(forKey: .before)
        )
    }

    /// Encodes the end.
    package func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        try stored.encode(start, forKey: .start)
        if case .until(let instant) = phase { try stored.encode(instant, forKey: .until) }
        try stored.encode(before, forKey: .before)
    }
}
