internal import AccessoryModel

extension HomeEngine {
    /// The maximum number of runs of one automation in a chain.
    private static let maximumRepeats = 3
    /// The maximum number of runs in a chain.
    private static let maximumChainLength = 32

    /// Runs an automation whose trigger has fired, or records why it does not run.
    mutating func fire(
        _ position: Int,
        because cause: RunCause,
        of chain: CauseTracker.Chain,
        into actions: inout [EngineAction]
    ) {
        if let obstacle = reasonNotToRun(position, of: chain) {
            return journal(.notRun(cause, obstacle), of: position, into: &actions)
        }
        let automation = automationStates[position].automation
        let targets = automation.targets.flattened(in: index.objects)
        let chain = chain + [automation.id]
        startWaitingForEnd(position, of: chain, with: targets)
        causes.record(targets, of: chain, at: now)
        actions.append(
            .run(RunRequest(automation: automation.id, part: .targets, actions: targets, cause: cause))
        )
        journal(.ran(cause), of: position, into: &actions)
        if automation.executesOnce { disable(position, into: &actions) }
    }

    /// Runs the end of an automation.
    mutating func runEnd(_ position: Int, because cause: RunCause, into actions: inout [EngineAction]) {
        let automation = automationStates[position].automation
        guard let pending = automationStates[position].pending, let end = automation.end else { return }
        automationStates[position].pending = nil
        scheduleEnd(of: position)
        let ending =
            switch end.effect {
            case .actions(let actions): actions
            case .restore: pending.restoringActions
            }
        guard !ending.isEmpty else { return journal(.endCancelled(.nothingToRestore), of: position, into: &actions) }
        causes.record(ending, of: pending.chain, at: now)
        actions.append(.run(RunRequest(automation: automation.id, part: .end, actions: ending, cause: cause)))
        journal(.ended(cause), of: position, into: &actions)
    }

    /// Checks a new value against an end that waits for it.
    mutating func checkEndTest(
        _ value: CharacteristicValue,
        after last: CharacteristicValue?,
        of position: Int,
        into actions: inout [EngineAction]
    ) {
        guard let pending = automationStates[position].pending,
            let (selector, test, delay) = automationStates[position].endTest
        else {
            return
        }
        switch pending.awaiting {
        case .endTest:
            let isReached =
                if selector.type.isButton {
                    test.matches(value)
                } else if pending.acceptsFirstValue, last == nil {
                    test.holds(for: value)
                } else {
                    last.map { test.becomesTrue(from: $0, to: value) } ?? false
                }
            guard isReached else { return }
            endTestBecameTrue(with: value, of: position, into: &actions)
        case .instant:
            // A change or a press has no duration, so it cannot become false again.
            guard delay != nil, test != .changes, !selector.type.isButton, !test.holds(for: value) else { return }
            automationStates[position].pending?.awaiting = .endTest
            scheduleEnd(of: position)
            journal(.endTestPending(selector, value: value), of: position, into: &actions)
        }
    }

    /// Runs the end of an automation after its test has become true, or starts its delay.
    mutating func endTestBecameTrue(
        with value: CharacteristicValue,
        of position: Int,
        into actions: inout [EngineAction]
    ) {
        guard let (selector, test, delay) = automationStates[position].endTest else { return }
        guard let delay else {
            return runEnd(position, because: .characteristic(selector, test, value: value), into: &actions)
        }
        let due = now.advanced(by: delay)
        automationStates[position].pending?.awaiting = .instant(due)
        scheduleEnd(of: position)
        journal(.endScheduled(due), of: position, into: &actions)
    }

    /// Records an event of an automation, unless it only repeats the last one, as some events would for each new value.
    mutating func journal(_ event: JournalEvent, of position: Int, into actions: inout [EngineAction]) {
        let isSaid = automationStates[position].lastEvent.map(event.isRepetition) ?? false
        automationStates[position].lastEvent = event
        if isSaid { return }
        let automation = automationStates[position].automation
        actions.append(entry(event, of: automation.id, named: automation.name.text))
    }

    /// Returns the journal entry for an event of an automation, or of all of them.
    func entry(_ event: JournalEvent, of automation: ObjectID<Automation>?, named name: String) -> EngineAction {
        .journal(JournalEntry(instant: now, automation: automation, name: name, event: event))
    }
}

extension HomeEngine {
    /// Returns why an automation must not run now, or `nil` if it may; a permitted run counts for the rate limit.
    private mutating func reasonNotToRun(_ position: Int, of chain: CauseTracker.Chain) -> JournalEvent.SkipReason? {
        let automation = automationStates[position].automation
        guard automation.isEnabled else { return .disabled }
        if let condition = automation.condition {
            switch evaluate(condition) {
            case .met: break
            case .notMet(let part): return .condition(part)
            case .unknown(let part): return .unknown(part)
            }
        }
        guard !automation.targets.isEmpty(in: index.objects) else { return .nothingToDo }
        let rounds = chain.count { $0 == automation.id }
        guard rounds < Self.maximumRepeats, chain.count < Self.maximumChainLength else { return .cycle(chain) }
        guard automationStates[position].recentRuns.tryRun(at: now) else {
            return .rateLimit(count: RateWindow.limit, in: RateWindow.window)
        }
        return nil
    }

    /// Starts to wait for the end of a run; a pending end of an earlier run is replaced.
    private mutating func startWaitingForEnd(_ position: Int, of chain: CauseTracker.Chain, with actions: [HomeAction])
    {
        let slot = automationStates[position]
        guard let end = slot.automation.end else { return }
        let before =
            slot.pending?.restoringActions ?? (end.effect == .restore ? actions.compactMap(actionToRestore) : [])
        automationStates[position].pending = PendingEnd(
            start: now,
            awaiting: end.awaiting(from: now),
            restoringActions: before,
            chain: chain
        )
        scheduleEnd(of: position)
    }

    /// Disables an automation that has run once; the journal entry makes the store disable it too.
    private mutating func disable(_ position: Int, into actions: inout [EngineAction]) {
        automationStates[position].disable()
        let id = automationStates[position].automation.id
        home.disableAutomation(id)
        journal(.disabled, of: position, into: &actions)
    }

    /// Returns an action that sets a characteristic to its current value, or `nil` if the value is unknown.
    private func actionToRestore(_ action: HomeAction) -> HomeAction? {
        values[action.characteristic].map { HomeAction(characteristic: action.characteristic, value: $0) }
    }
}

extension EndEvent<HomeIDs> {
    /// Returns the event that the end waits for after a run.
    func awaiting(from start: WallInstant) -> PendingEnd.Awaiting {
        switch timing {
        case .after(let delay): .instant(start.advanced(by: delay))
        case .when, .whenThenAfter: .endTest
        }
    }
}

extension JournalEvent {
    /// Returns whether the event repeats the last one, possibly with another value.
    fileprivate func isRepetition(of last: JournalEvent) -> Bool {
        switch (self, last) {
        case (.noChange(_, _, _, let why), .noChange(_, _, _, let last)): why == last
        case (.notRun(_, .rateLimit), .notRun(_, .rateLimit)): true
        case (.notRun(_, .cycle), .notRun(_, .cycle)): true
        case (.ran, _), (.notRun, _), (.noChange, _), (.endScheduled, _), (.endTestPending, _), (.ended, _),
            (.endCancelled, _),
            (.clockSetBack, _), (.disabled, _):
            false
        }
    }
}
