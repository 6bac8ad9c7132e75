package import AccessoryModel
package import HAPCore

/// An outlet with something plugged in, or nothing.
///
/// Outlet In Use is 1 while it is on and something that draws current is plugged in. ``BehaviorCommand/sense(_:)`` of
/// Outlet In Use plugs something in or pulls it out.
///
/// No call traps, whatever the values and the order of the instants.
package struct Outlet: EventDriven {
    package static let rules: WriteRules = [.on: .state, .outletInUse: .measured]
    package static let required: [CharacteristicType] = [.on, .outletInUse]

    package var values = ServiceValues(Self.required)
    private var isPluggedIn: Bool

    /// Creates an outlet that is off.
    package init(_ configuration: Configuration = Configuration()) {
        isPluggedIn = configuration.load
    }

    package mutating func restore(at now: MonotonicInstant) {
        values.fill(.on, state: false)
        tell()
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        tell()
    }

    package mutating func obey(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        guard case .sense(let change) = command, change.type == .outletInUse, let draws = change.value.isSwitchedOn
        else { return false }
        isPluggedIn = draws
        tell()
        return true
    }

    private mutating func tell() {
        values.set(.outletInUse, .bool(isPluggedIn && values.state(.on) == true))
    }
}

extension Outlet {
    /// How an outlet is used.
    package struct Configuration: Sendable, Hashable {
        /// Whether something is plugged in that draws current; so it is by default.
        package var load: Bool

        /// Creates a configuration; without arguments, an outlet with something plugged in.
        package init(load: Bool = true) {
            self.load = load
        }
    }
}

extension Outlet {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "outlet",
        "An outlet that is in use while it is on and something is plugged in.",
        services: [.outlet],
        needs: [.on, .outletInUse],
        standard: Configuration(),
        parameters: [.flag("load", \.load, "Whether something is plugged in that draws current.")]
    ) { configuration, _ in Outlet(configuration) }
}
