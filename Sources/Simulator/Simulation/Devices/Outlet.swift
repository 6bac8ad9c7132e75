package import AccessoryModel
package import HAPCore

/// An outlet with or without a device plugged in.
///
/// Outlet In Use is 1 while the outlet is on and a device that draws power is plugged in.
/// ``BehaviorCommand/plug``, ``BehaviorCommand/unplug`` and ``BehaviorCommand/applySensorInput(_:)`` for Outlet In Use
/// plug in or unplug a device. At the start, what the configuration says is plugged in.
///
/// No call traps, whatever the values and the order of the instants.
package struct Outlet: EventDrivenBehavior {
    package static let rules: WriteRules = [.on: .boolean, .outletInUse: .readOnly]
    package static let required: [CharacteristicType] = [.on, .outletInUse]

    package var values = ServiceValues(Self.required)
    private var isPluggedIn: Bool

    /// Creates an outlet that is off.
    init(_ configuration: Configuration = Configuration()) {
        isPluggedIn = configuration.hasLoad
    }

    package mutating func restore(at now: MonotonicInstant) {
        values.setDefault(.on, bool: false)
    }

    package mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .plug: isPluggedIn = true
        case .unplug: isPluggedIn = false
        case .applySensorInput(let found): return applySensorInput(found, at: now)
        case .stop, .obstruct, .clearObstruction, .press: return false
        }
        return true
    }

    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .outletInUse, let draws = found.value.coercedBool else { return false }
        isPluggedIn = draws
        return true
    }

    package mutating func updateValues() {
        values.set(.outletInUse, .bool(isPluggedIn && values.bool(.on) == true))
    }

    /// The configuration of an outlet.
    package struct Configuration: Sendable, Hashable {
        /// Whether a device that draws power is plugged in; `true` by default.
        package var hasLoad = true
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "outlet",
        "An outlet that is in use while it is on and something is plugged in.",
        services: [.outlet],
        defaults: Configuration(),
        parameters: [.flag("load", \.hasLoad, "Whether a device that draws power is plugged in.")]
    ) { configuration, _ in Outlet(configuration) }
}
