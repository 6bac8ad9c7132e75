/// A command of a user or a script for a simulated device, in addition to HAP writes.
public enum BehaviorCommand: Sendable, Hashable {
    /// Stop at the current position.
    case stop
    /// Obstruct a door, a blind or a bolt.
    case obstruct
    /// Remove the obstruction.
    case clearObstruction
    /// Plug in a cable: of an input of a television, of what an outlet supplies, or of a battery's charger.
    case plug
    /// Pull the cable out.
    case unplug
    /// Press a button of the device.
    case press(ButtonPress)
    /// Change a value at the device: a sensor detects motion, a room is 25 °C, or a person opens a door by hand.
    case applySensorInput(BehaviorChange)
}

/// The kind of a button press.
///
/// HAP: §20 (Programmable Switch Event)
public enum ButtonPress: Int, Sendable, Hashable, CaseIterable {
    /// One short press.
    case single = 0
    /// Two presses in quick succession.
    case double = 1
    /// One long press.
    case long = 2
}
