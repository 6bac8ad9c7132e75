package import AccessoryModel
package import HAPCore

/// A button without a state: each press is an event, and there is nothing to read between two of them.
///
/// ``BehaviorCommand/press(_:)`` presses it. The presses that it has are the valid values of Programmable Switch Event: its
/// owner refuses the others.
///
/// HAP: §14
package struct Button: EventDrivenBehavior {
    /// A press is the device's own.
    package static let rules: WriteRules = [.programmableSwitchEvent: .readOnly]
    package static let required: [CharacteristicType] = []

    package var values = ServiceValues()

    /// Creates a button.
    init() {}

    /// Has nothing to restore: a press is never stored.
    package mutating func restore(at now: MonotonicInstant) {}

    /// Answers a press with its event, also when it repeats the one before.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        Self.press(command).map { [$0] }
    }

    /// The event that a command is; `nil` for one that is no press.
    static func press(_ command: BehaviorCommand) -> BehaviorChange? {
        switch command {
        case .press(let press):
            return BehaviorChange(.programmableSwitchEvent, .integer(press.rawValue))
        case .applySensorInput(let found):
            guard found.type == .programmableSwitchEvent, let press = found.value.integer.flatMap(ButtonPress.init)
            else { return nil }
            return BehaviorChange(.programmableSwitchEvent, .integer(press.rawValue))
        case .stop, .obstruct, .clearObstruction:
            return nil
        }
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "button",
        "A button that is pressed once, twice or long.",
        services: [.statelessProgrammableSwitch],
        requiredTypes: [.programmableSwitchEvent],
        defaults: ()
    ) { _, _ in Button() }
}
