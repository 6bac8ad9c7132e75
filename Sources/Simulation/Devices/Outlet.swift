package import AccessoryModel
package import HAPCore

/// An outlet with something plugged in, or nothing.
///
/// Outlet In Use is 1 while it is on and something that draws current is plugged in. ``BehaviorCommand/applySensorInput(_:)`` of
/// Outlet In Use plugs something in or pulls it out.
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

    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .outletInUse, let draws = found.value.coercedBool else { return false }
        isPluggedIn = draws
        return true
    }

    package mutating func updateValues() {
        values.set(.outletInUse, .bool(isPluggedIn && values.bool(.on) == true))
    }

    /// How an outlet is used.
    package struct Configuration: Sendable, Hashable {
        /// Whether something is plugged in that draws current; so it is by default.
        package var hasLoad = true
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "outlet",
        "An outlet that is in use while it is on and something is plugged in.",
        services: [.outlet],
        requiredTypes: [.on, .outletInUse],
        defaults: Configuration(),
        parameters: [.flag("load", \.hasLoad, "Whether something is plugged in that draws current.")]
    ) { configuration, _ in Outlet(configuration) }
}
