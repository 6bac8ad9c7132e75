/// What changed a value.
public enum ChangeOrigin: Sendable, Hashable {
    /// A controller's write.
    case controller(ConnectionID)
    /// The device itself: a behaviour, a handler, the program that embeds the server.
    case device
}
