internal import AccessoryModel

/// An automation with its state in an engine.
struct AutomationState: Sendable {
    /// The automation.
    private(set) var automation: Automation
    /// The recent runs, for the rate limit.
    var recentRuns = RateWindow()
    /// The pending end of the last run.
    var pending: PendingEnd?
    /// The last journal event, so that the journal does not repeat it.
    var lastEvent: JournalEvent?
    /// The start of intervals that have no start of their own.
    var intervalStart: WallInstant

    /// The test and the delay of the end, if the end waits for a characteristic.
    var endTest: (selector: CharacteristicSelector, test: CharacteristicTest<CharacteristicValue>, delay: Duration?)? {
        switch automation.end?.timing {
        case .when(let selector, let test): (selector, test, nil)
        case .whenThenAfter(let selector, let test, let delay): (selector, test, delay)
        case .after, nil: nil
        }
    }

    /// Disables the automation after its only run.
    mutating func disable() {
        automation.isEnabled = false
    }

    /// Resumes a pending end that an earlier engine stored, even if the end has been edited meanwhile.
    ///
    /// The pending end follows the current timing, but a delay that already runs after a test is not changed.
    ///
    /// - Parameter now: The current instant. If the clock was set back meanwhile, the delay counts from this instant,
    ///   so that the wait does not become longer.
    /// - Returns: `false` if the automation no longer has an end.
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
