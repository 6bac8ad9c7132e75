/// What a controller has to do with one characteristic.
public enum CharacteristicUse: Sendable, Hashable {
    /// It reads the value.
    case read
    /// It writes a value.
    case write
    /// It wants events.
    case subscribe
    /// It wants no events any more.
    case unsubscribe
}
