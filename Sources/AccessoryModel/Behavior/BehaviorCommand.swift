/// A command of a user or a script for a simulated device, beyond the writes of HAP.
public enum BehaviorCommand: Sendable, Hashable {
    /// Stop where it is.
    case stop
    /// Put something in the way: of a door, a blind or a bolt.
    case obstruct
    /// Take it away again.
    case clearObstruction
    /// Press a button of it.
    case press(ButtonPress)
    /// Let it find a value that no controller can write: a sensor sees motion, a room is 25 °C.
    case applySensorInput(BehaviorChange)
}

/// How a button is pressed.
///
/// HAP: §20 (Programmable Switch Event)
public enum ButtonPress: Int, Sendable, Hashable, CaseIterable {
    /// Once.
    case single = 0
    /// Twice in short order.
    case double = 1
    /// For a while.
    case long = 2
}
