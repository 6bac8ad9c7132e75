package import AccessoryModel
package import HAPCore

/// A stateless button: each press is an event, and there is no value to read between presses.
///
/// ``BehaviorCommand/press(_:)`` presses it. The valid values of Programmable Switch Event are its possible presses;
/// the owner of the behavior refuses others.
///
/// HAP: §14
package struct Button: EventDrivenBehavior {
    /// Only the device itself reports a press.
    package static let rules: WriteRules = [.programmableSwitchEvent: .readOnly]
    package static let required: [CharacteristicType] = []

    package var values = ServiceValues()

    /// Creates a button.
    init() {}

    /// Does nothing: a press is never stored.
    package mutating func restore(at now: MonotonicInstant) {}

    /// Returns the event of a press, even if it repeats the previous one.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        Self.press(command).map { [$0] }
    }

    /// Returns the event that a command causes; `nil` if the command is not a press.
    static func press(_ command: BehaviorCommand) -> BehaviorChange? {
        switch command {
        case .press(let press):
            return BehaviorChange(.programmableSwitchEvent, .integer(press.rawValue))
        case .applySensorInput(let found):
            guard found.type == .programmableSwitchEvent, let press = found.value.integer.flatMap(ButtonPress.init)
            else { return nil }
            return BehaviorChange(.programmableSwitchEvent, .integer(press.rawValue))
        case .stop, .obstruct, .clearObstruction, .plug, .unplug:
            return nil
        }
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "button",
        "A button that is pressed once, twice or long.",
        services: [.statelessProgrammableSwitch],
        requiredTypes: [.programmableSwitchEvent],
        defaults: ()
    ) { _, _ in Button() }
}
