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
