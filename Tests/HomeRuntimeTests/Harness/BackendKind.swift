/// The kind of backend that a home uses.
enum BackendKind: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The backend uses the servers directly.
    case inProcess
    /// The backend uses a controller that is paired with the servers, over loopback.
    case network

    var description: String { rawValue }
}
