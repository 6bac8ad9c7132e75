package import AccessoryModel
package import HAPCore

/// A button without a state: each press is an event, and there is nothing to read between two of them.
///
/// ``BehaviorCommand/press(_:)`` presses it. The presses that it has are the valid values of Programmable Switch Event: its
/// owner refuses the others.
///
/// HAP: §14
package struct Button: Behavior {
    /// Creates a button.
    package init() {}

    /// Has nothing to take over.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        []
    }

    /// Refuses a press by a controller.
    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        BehaviorResponse(refusals: Self.refusals(of: writes))
    }

    package var nextDeadline: MonotonicInstant? {
        nil
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        []
    }

    /// Answers a press with its event, also when it repeats the one before.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        Self.press(command).map { [$0] }
    }

    /// The event that a command is; `nil` for one that is no press.
    static func press(_ command: BehaviorCommand) -> BehaviorChange? {
        switch command {
        case .press(let press):
            return BehaviorChange(.programmableSwitchEvent, .integer(press.rawValue))
        case .sense(let found):
            guard found.type == .programmableSwitchEvent, let press = found.value.integer.flatMap(ButtonPress.init)
            else { return nil }
            return BehaviorChange(.programmableSwitchEvent, .integer(press.rawValue))
        case .stop, .obstruct, .clearObstruction:
            return nil
        }
    }

    /// Why writes are refused: nobody but the device itself presses it.
    static func refusals(of writes: [BehaviorChange]) -> [CharacteristicType: HAPStatus] {
        writes.contains { $0.type == .programmableSwitchEvent } ? [.programmableSwitchEvent: .readOnly] : [:]
    }
}

extension Button {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "button",
        "A button that is pressed once, twice or long.",
        services: [.statelessProgrammableSwitch],
        needs: [.programmableSwitchEvent],
        standard: (),
        parameters: []
    ) { _, _ in Button() }
}
