/// What a home is run on.
enum WorldKind: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The servers themselves.
    case served
    /// A controller that is paired with them, over loopback.
    case network

    var description: String { rawValue }
}
