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
