/// What tells one service of an accessory from the others, across restarts and edits.
public struct ServiceKey: Sendable, Hashable {
    /// The service's type.
    public var type: ServiceType
    /// Tells services of one type apart; empty for the only one.
    public var subtype: String

    /// Creates a key.
    public init(_ type: ServiceType, subtype: String = "") {
        self.type = type
        self.subtype = subtype
    }
}
