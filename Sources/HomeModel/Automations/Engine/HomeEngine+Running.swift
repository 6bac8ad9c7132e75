internal import AccessoryModel

extension HomeEngine {
    /// How often an automation may be in the line that it comes of.
    private static let rounds = 3
    /// How long that line may be.
    private static let longestChain = 32

    /// Runs an automation whose trigger has come, or says why not.
    mutating func fire(
        _ position: Int,
        because cause: RunCause,
        of chain: CauseBook.Chain,
        into actions: inout [EngineAction]
    ) {
        if let obstacle = obstacle(to: position, of: chain) {
            return say(.notRun(cause, obstacle), of: position, into: &actions)
        }
        let automation = slots[position].automation
        let targets = automation.targets.flattened(in: scenes)
        let chain = chain + [automation.id]
        begin(position, of: chain, with: targets)
        causes.note(targets, of: chain, at: now)
        actions.append(
            .run(RunRequest(automation: automation.id, part: .targets, actions: targets, cause: cause))
        )
        say(.ran(cause), of: position, into: &actions)
        if automation.executesOnce { disable(position, into: &actions) }
    }

    /// Ends what an automation has begun.
    mutating func end(_ position: Int, because cause: RunCause, into actions: inout [EngineAction]) {
        let automation = slots[position].automation
        guard let pending = slots[position].pending, let end = automation.end else { return }
        slots[position].pending = nil
        scheduleEnd(of: position)
        let ending =
            switch end.ending {
            case .actions(let actions): actions
            case .restore: pending.before
            }
        guard !ending.isEmpty else { return say(.endDropped(.nothingToRestore), of: position, into: &actions) }
        causes.note(ending, of: pending.chain, at: now)
        actions.append(.run(RunRequest(automation: automation.id, part: .end, actions: ending, cause: cause)))
        say(.ended(cause), of: position, into: &actions)
    }

    /// Takes a value for an end that waits for it.
    mutating func takeForEnd(
        _ value: CharacteristicValue,
        after last: CharacteristicValue?,
        of position: Int,
        into actions: inout [EngineAction]
    ) {
        guard let pending = slots[position].pending, let (selector, test, delay) = slots[position].awaited else {
            return
        }
        switch pending.phase {
        case .characteristic:
            let isReached =
                if selector.type.isButton {
                    test.admits(value)
                } else if pending.takesFirstValue, last == nil {
                    test.holds(for: value)
                } else {
                    last.map { test.becomesTrue(from: $0, to: value) } ?? false
                }
            guard isReached else { return }
            reachEnd(with: value, of: position, into: &actions)
        case .until:
            // A change and a press are moments: they do not cease.
            guard delay != nil, test != .changes, !selector.type.isButton, !test.holds(for: value) else { return }
            slots[position].pending?.phase = .characteristic
            scheduleEnd(of: position)
            say(.endWaitsAgain(selector, value: value), of: position, into: &actions)
        }
    }

    /// Ends what an automation has begun, now that what its end waits for is so, or begins to count the delay.
    mutating func reachEnd(with value: CharacteristicValue, of position: Int, into actions: inout [EngineAction]) {
        guard let (selector, test, delay) = slots[position].awaited else { return }
        guard let delay else {
            return end(position, because: .characteristic(selector, test, value: value), into: &actions)
        }
        let due = now.advanced(by: delay)
        slots[position].pending?.phase = .until(due)
        scheduleEnd(of: position)
        say(.endDue(due), of: position, into: &actions)
    }

    /// Says something of an automation, unless that was the last that was said and would be said with every value.
    mutating func say(_ event: JournalEvent, of position: Int, into actions: inout [EngineAction]) {
        let isSaid = slots[position].lastEvent.map(event.repeats) ?? false
        slots[position].lastEvent = event
        if isSaid { return }
        let automation = slots[position].automation
        actions.append(
            .journal(
                JournalEntry(instant: now, automation: automation.id, name: automation.name.text, event: event)
            )
        )
    }
}

extension HomeEngine {
    /// Why an automation does not run now, `nil` when it does; a run that is let through is counted.
    private mutating func obstacle(to position: Int, of chain: CauseBook.Chain) -> JournalEvent.Obstacle? {
        let automation = slots[position].automation
        guard automation.isEnabled else { return .disabled }
        if let condition = automation.condition {
            switch verdict(of: condition) {
            case .met: break
            case .notMet(let part): return .condition(part)
            case .unknown(let part): return .unknown(part)
            }
        }
        guard !automation.targets.areEmpty(in: scenes) else { return .nothingToDo }
        let rounds = chain.count { $0 == automation.id }
        guard rounds < Self.rounds, chain.count < Self.longestChain else { return .chase(chain) }
        guard slots[position].runs.take(at: now) else {
            return .rateLimit(count: RateWindow.limit, in: RateWindow.window)
        }
        return nil
    }

    /// Begins to wait for the end of a run, anew when it waits for that of an earlier one.
    private mutating func begin(_ position: Int, of chain: CauseBook.Chain, with actions: [HomeAction]) {
        let slot = slots[position]
        guard let end = slot.automation.end else { return }
        let before = slot.pending?.before ?? (end.ending == .restore ? actions.compactMap(known) : [])
        slots[position].pending = PendingEnd(start: now, phase: end.phase(from: now), before: before, chain: chain)
        scheduleEnd(of: position)
    }

    /// Disables an automation that has run once; the journal has the store do the same.
    private mutating func disable(_ position: Int, into actions: inout [EngineAction]) {
        slots[position].disable()
        let id = slots[position].automation.id
        home.disableAutomation(id)
        say(.disabled, of: position, into: &actions)
    }

    /// What would set a characteristic to the value that it has now.
    private func known(_ action: HomeAction) -> HomeAction? {
        values[action.characteristic].map { HomeAction(characteristic: action.characteristic, value: $0) }
    }
}

extension EndEvent<HomeIDs> {
    /// What it waits for after a run.
    func phase(from start: WallInstant) -> PendingEnd.Phase {
        switch moment {
        case .after(let delay): .until(start.advanced(by: delay))
        case .when, .whenThenAfter: .characteristic
        }
    }
}

extension JournalEvent {
    /// Whether it says what has been said, though of another value.
    fileprivate func repeats(_ last: JournalEvent) -> Bool {
        switch (self, last) {
        case (.noEdge(_, _, _, let why), .noEdge(_, _, _, let last)): why == last
        case (.notRun(_, .rateLimit), .notRun(_, .rateLimit)): true
        case (.notRun(_, .chase), .notRun(_, .chase)): true
        case (.ran, _), (.notRun, _), (.noEdge, _), (.endDue, _), (.endWaitsAgain, _), (.ended, _), (.endDropped, _),
            (.clockSetBack, _), (.disabled, _):
            false
        }
    }
}
