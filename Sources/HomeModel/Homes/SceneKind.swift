/// What a scene is for.
///
/// A home has each of the built-in kinds at most once.
public enum SceneKind: String, Sendable, Hashable, CaseIterable {
    /// Getting up.
    case wakeUp
    /// Going to bed.
    case sleep
    /// Leaving home.
    case homeDeparture
    /// Coming home.
    case homeArrival
    /// Anything else.
    case userDefined

    /// Whether HomeKit knows it by itself: such a scene cannot be removed.
    public var isBuiltIn: Bool {
        self != .userDefined
    }
}
