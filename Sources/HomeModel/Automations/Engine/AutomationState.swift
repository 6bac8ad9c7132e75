internal import AccessoryModel

/// An automation and what an engine knows of it.
struct AutomationState: Sendable {
    /// The automation.
    private(set) var automation: Automation
    /// How often it ran lately.
    var recentRuns = RateWindow()
    /// What is still to end.
    var pending: PendingEnd?
    /// What was said of it last, so that the same is not said again and again.
    var lastEvent: JournalEvent?
    /// Since when an interval without a beginning counts.
    var intervalStart: WallInstant

    /// The end of it, when it waits for its characteristic.
    var endTest: (selector: CharacteristicSelector, test: CharacteristicTest<CharacteristicValue>, delay: Duration?)? {
        switch automation.end?.timing {
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
    mutating func resume(_ stored: PendingEnd, at now: WallInstant) -> Bool {
        guard let end = automation.end else { return false }
        var stored = stored
        stored.start = min(stored.start, now)
        switch (stored.awaiting, end.timing) {
        case (.instant, .when), (_, .after): stored.awaiting = end.awaiting(from: stored.start)
        case (.endTest, .when), (_, .whenThenAfter): break
        }
        stored.acceptsFirstValue = true
        stored.chain = [automation.id]
        pending = stored
        return true
    }
}
