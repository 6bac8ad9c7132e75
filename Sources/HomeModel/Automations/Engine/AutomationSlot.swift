internal import AccessoryModel

/// An automation and what an engine knows of it.
struct AutomationSlot: Sendable {
    /// The automation.
    private(set) var automation: Automation
    /// How often it ran lately.
    var runs = RateWindow()
    /// What is still to end.
    var pending: PendingEnd?
    /// What was said of it last, so that the same is not said again and again.
    var lastEvent: JournalEvent?
    /// Since when an interval without a beginning counts.
    var since: WallInstant

    /// The end of it, when it waits for its characteristic.
    var awaited: (selector: CharacteristicSelector, test: CharacteristicTest<CharacteristicValue>, delay: Duration?)? {
        switch automation.end?.moment {
        case .when(let selector, let test): (selector, test, nil)
        case .whenThenAfter(let selector, let test, let delay): (selector, test, delay)
        case .after, nil: nil
        }
    }

    /// Disables the automation after the run that was to be its only one.
    mutating func disable() {
        automation.isEnabled = false
    }

    /// Goes on waiting for an end that an earlier engine has kept, as the end is now: it may have been edited meanwhile.
    ///
    /// - Parameter now: The present: a clock that was put back meanwhile does not keep it waiting.
    /// - Returns: `false` when the automation has no end any more.
    mutating func resume(_ kept: PendingEnd, at now: WallInstant) -> Bool {
        guard let end = automation.end else { return false }
        var kept = kept
        kept.start = min(kept.start, now)
        switch (kept.phase, end.moment) {
        case (.until, .when), (_, .after): kept.phase = end.phase(from: kept.start)
        case (.characteristic, .when), (_, .whenThenAfter): break
        }
        kept.takesFirstValue = true
        kept.chain = [automation.id]
        pending = kept
        return true
    }
}
