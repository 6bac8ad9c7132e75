/// What a home is run on.
enum BackendKind: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The servers themselves.
    case inProcess
    /// A controller that is paired with them, over loopback.
    case network

    var description: String { rawValue }
}
