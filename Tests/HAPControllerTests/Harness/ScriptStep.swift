/// An action of a scripted accessory, instead of a response or in addition to it.
enum ScriptStep: Sendable {
    /// Sends a message; within a session, it is encrypted in frames.
    case message([UInt8])
    /// Sends bytes unchanged.
    case raw([UInt8])
    /// Closes the connection.
    case close
}
