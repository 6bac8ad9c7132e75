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
package struct WaterSystem: EventDriven {
    package static let rules: WriteRules = [
        .active: .state, .inUse: .measured, .remainingDuration: .measured, .programMode: .measured,
    ]
    /// An irrigation system has In Use and Program Mode besides.
    package static let required: [CharacteristicType] = [.active]

    /// What is known of a valve.
    fileprivate struct Branch: Hashable {
        var isActive = false
        var isInUse = false
        var remaining = 0
    }

    package var values = ServiceValues(Self.required)
    private var branches: [ServiceKey: Branch] = [:]

    /// Creates a system that is off.
    init() {}

    /// Takes over what was said of all valves until they are heard of, so that nothing is told that is taken back at once.
    package mutating func restore(at now: MonotonicInstant) {
        branches = [:]
        values.set(.active, choice: values.state(.active) == true ? 1 : 0)
        values.set(.programMode, choice: program)
        values.set(.inUse, choice: values.state(.inUse) == true ? 1 : 0)
        values.set(.remainingDuration, choice: max(values.choice(.remainingDuration) ?? 0, 0))
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of Active and Program Mode.
    package mutating func sense(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        switch found.type {
        case .active:
            guard let isOn = found.value.isSwitchedOn else { return false }
            values.set(.active, choice: isOn ? 1 : 0)
        case .programMode:
            guard let told = found.value.choice, 0...2 ~= told else { return false }
            values.set(.programMode, choice: told)
        default:
            return false
        }
        return true
    }

    package var heededServices: [ServiceType] { [.valve] }

    /// Follows the valves of the same accessory; one that is on when it is first heard of was not turned on.
    package mutating func hear(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
        let known = branches[service]
        let branch = (known ?? Branch()).after(changes)
        branches[service] = branch
        if let known, branch.isActive, !known.isActive {
            values.set(.active, choice: 1)
            values.set(.programMode, choice: program == 1 ? 2 : program)
        }
        if program == 2, known?.isInUse == true || known?.isActive == true,
            branches.values.allSatisfy({ !$0.isActive && !$0.isInUse })
        {
            values.set(.programMode, choice: 1)
        }
        values.set(.inUse, choice: branches.values.contains(where: \.isInUse) ? 1 : 0)
        values.set(.remainingDuration, choice: branches.values.map(\.remaining).max() ?? 0)
    }

    /// Program Mode: 0 none, 1 scheduled, 2 overridden by hand.
    private var program: Int {
        values.choice(.programMode).flatMap { 0...2 ~= $0 ? $0 : nil } ?? 0
    }
}

extension WaterSystem.Branch {
    /// What is known of it after these changes.
    fileprivate func after(_ changes: [BehaviorChange]) -> Self {
        var branch = self
        for change in changes {
            switch change.type {
            case .active: branch.isActive = change.value.isSwitchedOn ?? branch.isActive
            case .inUse: branch.isInUse = change.value.isSwitchedOn ?? branch.isInUse
            case .remainingDuration: branch.remaining = max(change.value.integer ?? 0, 0)
            default: break
            }
        }
        return branch
    }
}

extension WaterSystem {
    /// What files and people are told of an irrigation system.
    static let irrigation = SimulationModelDefinition(
        "irrigation",
        "An irrigation system that follows its valves, and closes them when it is turned off.",
        services: [.irrigationSystem],
        needs: [.active, .inUse],
        standard: ()
    ) { _, _ in WaterSystem() }
    /// What files and people are told of a faucet.
    static let faucet = SimulationModelDefinition(
        "faucet",
        "A faucet that is on with its valves, and closes them when it is turned off.",
        services: [.faucet],
        needs: [.active],
        standard: ()
    ) { _, _ in WaterSystem() }
}
