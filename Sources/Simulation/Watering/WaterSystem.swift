package import AccessoryModel
package import HAPCore

/// What several valves of an accessory belong to: an irrigation system, a faucet.
///
/// In Use is 1 while water runs through one of the valves, and Remaining Duration is the longest of theirs. A valve that
/// is turned on turns the system on; a system that is turned off closes its valves. In an irrigation system, a valve
/// that is turned on makes of Program Mode 1, scheduled, a 2, overridden by hand, until all are closed.
///
/// Program Mode is what it is told by ``BehaviorCommand/sense(_:)`` else: it has no schedule of its own.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct WaterSystem: Behavior {
    /// What is known of a valve.
    private struct Branch: Hashable {
        var isActive = false
        var isInUse = false
        var remaining = 0
    }

    private var isActive = false
    private var program = 0
    private var isInUse = false
    private var remaining = 0
    private var branches: [ServiceKey: Branch] = [:]
    private var fitted: Set<CharacteristicType> = [.active]

    /// Creates a system that is off.
    package init() {}

    /// Takes over Active and Program Mode; the rest follows from the valves, which are heard of next.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        fitted.formUnion(values.keys)
        isActive = values[.active]?.isSwitchedOn ?? false
        program = values[.programMode]?.integer.flatMap { 0...2 ~= $0 ? $0 : nil } ?? 0
        // Said of all valves until they are heard of, so that nothing is told that is taken back at once.
        isInUse = values[.inUse]?.isSwitchedOn ?? false
        remaining = values[.remainingDuration]?.integer.flatMap { $0 >= 0 ? $0 : nil } ?? 0
        var ledger = ChangeLedger(known: values)
        ledger.note(self.values)
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        var ledger = ChangeLedger(known: values)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        for write in writes {
            switch write.type {
            case .active:
                guard let isOn = write.value.isSwitchedOn else {
                    refusals[write.type] = .invalidValue
                    continue
                }
                isActive = isOn
                ledger.stored(BehaviorChange(.active, .integer(isOn ? 1 : 0)))
            case .inUse, .remainingDuration, .programMode:
                refusals[write.type] = .readOnly
            default:
                break
            }
        }
        ledger.note(values)
        return BehaviorResponse(refusals: refusals, changes: ledger.changes)
    }

    package var nextDeadline: MonotonicInstant? {
        nil
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        []
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of Active and Program Mode.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard case .sense(let found) = command else { return nil }
        var ledger = ChangeLedger(known: values)
        switch found.type {
        case .active:
            guard let isOn = found.value.isSwitchedOn else { return nil }
            isActive = isOn
        case .programMode:
            guard let told = found.value.integer, 0...2 ~= told else { return nil }
            program = told
        default:
            return nil
        }
        ledger.note(values)
        return ledger.changes
    }

    package var heededServices: [ServiceType] {
        [.valve]
    }

    /// Follows the valves of the same accessory; one that is on when it is first heard of was not turned on.
    package mutating func heed(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        var ledger = ChangeLedger(known: values)
        let known = branches[service]
        var branch = known ?? Branch()
        for change in changes {
            switch change.type {
            case .active: branch.isActive = change.value.isSwitchedOn ?? branch.isActive
            case .inUse: branch.isInUse = change.value.isSwitchedOn ?? branch.isInUse
            case .remainingDuration: branch.remaining = max(change.value.integer ?? 0, 0)
            default: break
            }
        }
        branches[service] = branch
        if let known, branch.isActive, !known.isActive {
            isActive = true
            program = program == 1 ? 2 : program
        }
        if program == 2, known?.isInUse == true || known?.isActive == true,
            branches.values.allSatisfy({ !$0.isActive && !$0.isInUse })
        {
            program = 1
        }
        isInUse = branches.values.contains(where: \.isInUse)
        remaining = branches.values.map(\.remaining).max() ?? 0
        ledger.note(values)
        return ledger.changes
    }
}

extension WaterSystem {
    private var values: [BehaviorChange] {
        [
            BehaviorChange(.active, .integer(isActive ? 1 : 0)),
            BehaviorChange(.programMode, .integer(program)),
            BehaviorChange(.inUse, .integer(isInUse ? 1 : 0)),
            BehaviorChange(.remainingDuration, .integer(remaining)),
        ]
        .filter { fitted.contains($0.type) }
    }
}
