internal import AccessoryModel

extension HomeEngine {
    /// How often an automation may be in the line that it comes of.
    private static let maximumRepeats = 3
    /// How long that line may be.
    private static let maximumChainLength = 32

    /// Runs an automation whose trigger has come, or says why not.
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
        let targets = automation.targets.flattened(in: scenes)
        let chain = chain + [automation.id]
        startWaitingForEnd(position, of: chain, with: targets)
        causes.record(targets, of: chain, at: now)
        actions.append(
            .run(RunRequest(automation: automation.id, part: .targets, actions: targets, cause: cause))
        )
        journal(.ran(cause), of: position, into: &actions)
        if automation.executesOnce { disable(position, into: &actions) }
    }

    /// Ends what an automation has begun.
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

    /// Takes a value for an end that waits for it.
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
            // A change and a press are moments: they do not cease.
            guard delay != nil, test != .changes, !selector.type.isButton, !test.holds(for: value) else { return }
            automationStates[position].pending?.awaiting = .endTest
            scheduleEnd(of: position)
            journal(.endTestPending(selector, value: value), of: position, into: &actions)
        }
    }

    /// Ends what an automation has begun, now that what its end waits for is so, or begins to count the delay.
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

    /// Says something of an automation, unless that was the last that was said and would be said with every value.
    mutating func journal(_ event: JournalEvent, of position: Int, into actions: inout [EngineAction]) {
        let isSaid = automationStates[position].lastEvent.map(event.isRepetition) ?? false
        automationStates[position].lastEvent = event
        if isSaid { return }
        let automation = automationStates[position].automation
        actions.append(
            .journal(
                JournalEntry(instant: now, automation: automation.id, name: automation.name.text, event: event)
            )
        )
    }
}

extension HomeEngine {
    /// Why an automation does not run now, `nil` when it does; a run that is let through is counted.
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
        guard !automation.targets.isEmpty(in: scenes) else { return .nothingToDo }
        let rounds = chain.count { $0 == automation.id }
        guard rounds < Self.maximumRepeats, chain.count < Self.maximumChainLength else { return .cycle(chain) }
        guard automationStates[position].recentRuns.tryRun(at: now) else {
            return .rateLimit(count: RateWindow.limit, in: RateWindow.window)
        }
        return nil
    }

    /// Begins to wait for the end of a run, anew when it waits for that of an earlier one.
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

    /// Disables an automation that has run once; the journal has the store do the same.
    private mutating func disable(_ position: Int, into actions: inout [EngineAction]) {
        automationStates[position].disable()
        let id = automationStates[position].automation.id
        home.disableAutomation(id)
        journal(.disabled, of: position, into: &actions)
    }

    /// What would set a characteristic to the value that it has now.
    private func actionToRestore(_ action: HomeAction) -> HomeAction? {
        values[action.characteristic].map { HomeAction(characteristic: action.characteristic, value: $0) }
    }
}

extension EndEvent<HomeIDs> {
    /// What it waits for after a run.
    func awaiting(from start: WallInstant) -> PendingEnd.Awaiting {
        switch timing {
        case .after(let delay): .instant(start.advanced(by: delay))
        case .when, .whenThenAfter: .endTest
        }
    }
}

extension JournalEvent {
    /// Whether it says what has been said, though of another value.
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
