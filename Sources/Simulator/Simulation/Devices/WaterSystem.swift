package import AccessoryModel
package import HAPCore

/// A system that several valves of an accessory belong to: an irrigation system or a faucet.
///
/// * In Use is 1 while water runs through one of the valves, and Remaining Duration is the longest of theirs.
/// * When a valve is turned on, the system turns on. When the system is turned off, its valves close.
/// * In an irrigation system, turning on a valve changes Program Mode from 1, scheduled, to 2, overridden manually. It
///   changes back when all valves are closed.
///
/// Otherwise, only ``BehaviorCommand/applySensorInput(_:)`` changes Program Mode, because the system has no schedule of
/// its own.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct WaterSystem: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .inUse: .readOnly, .remainingDuration: .readOnly, .programMode: .readOnly,
    ]
    /// An irrigation system has In Use and Program Mode, too.
    package static let required: [CharacteristicType] = [.active]

    /// The known state of a valve.
    fileprivate struct ValveState: Hashable {
        var isActive = false
        var isInUse = false
        var remaining = 0
    }

    package static let controls: [CharacteristicType: [CharacteristicType]] = [.inUse: [.active]]

    package var values = ServiceValues(Self.required)
    private var valves: [ServiceKey: ValveState] = [:]

    /// Creates a system that is off.
    init() {}

    /// Adopts the saved values.
    ///
    /// In Use and Remaining Duration keep their saved values until the valves report. So no change is sent that their
    /// reports would immediately undo.
    package mutating func restore(at now: MonotonicInstant) {
        valves = [:]
        values.set(.active, integer: values.bool(.active) == true ? 1 : 0)
        values.set(.programMode, integer: programMode)
        values.set(.inUse, integer: values.bool(.inUse) == true ? 1 : 0)
        values.set(.remainingDuration, integer: max(values.integer(.remainingDuration) ?? 0, 0))
    }

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for Active and Program Mode.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        switch found.type {
        case .active:
            guard let isOn = found.value.coercedBool else { return false }
            values.set(.active, integer: isOn ? 1 : 0)
        case .programMode:
            guard let reported = found.value.coercedInteger, 0...2 ~= reported else { return false }
            values.set(.programMode, integer: reported)
        default:
            return false
        }
        return true
    }

    package var observedServices: [ServiceType] { [.valve] }

    /// Follows the valves of the same accessory; the first report of a valve never counts as turning it on.
    package mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
        let known = valves[service]
        let branch = (known ?? ValveState()).applying(changes)
        valves[service] = branch
        if let known, branch.isActive, !known.isActive {
            values.set(.active, integer: 1)
            values.set(.programMode, integer: programMode == 1 ? 2 : programMode)
        }
        if programMode == 2, known?.isInUse == true || known?.isActive == true,
            valves.values.allSatisfy({ !$0.isActive && !$0.isInUse })
        {
            values.set(.programMode, integer: 1)
        }
        values.set(.inUse, integer: valves.values.contains(where: \.isInUse) ? 1 : 0)
        values.set(.remainingDuration, integer: valves.values.map(\.remaining).max() ?? 0)
    }

    /// The value of Program Mode: 0 none, 1 scheduled, 2 overridden manually.
    private var programMode: Int {
        values.integer(.programMode).flatMap { 0...2 ~= $0 ? $0 : nil } ?? 0
    }
}

extension WaterSystem.ValveState {
    /// Returns the state after these changes.
    fileprivate func applying(_ changes: [BehaviorChange]) -> Self {
        var branch = self
        for change in changes {
            switch change.type {
            case .active: branch.isActive = change.value.coercedBool ?? branch.isActive
            case .inUse: branch.isInUse = change.value.coercedBool ?? branch.isInUse
            case .remainingDuration: branch.remaining = max(change.value.integer ?? 0, 0)
            default: break
            }
        }
        return branch
    }
}

extension WaterSystem {
    /// The catalog entry of the irrigation system.
    static let irrigation = SimulationModelDefinition(
        "irrigation",
        "An irrigation system that follows its valves, and closes them when it is turned off.",
        services: [.irrigationSystem],
        requiredTypes: [.active, .inUse],
        defaults: ()
    ) { _, _ in WaterSystem() }
    /// The catalog entry of the faucet.
    static let faucet = SimulationModelDefinition(
        "faucet",
        "A faucet that turns on with its valves, and closes them when it is turned off.",
        services: [.faucet],
        defaults: ()
    ) { _, _ in WaterSystem() }
}
