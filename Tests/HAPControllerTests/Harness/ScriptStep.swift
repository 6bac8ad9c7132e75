/// What a scripted accessory does in place of an answer, or besides one.
enum ScriptStep: Sendable {
    /// Sends a message, in frames within a session.
    case message([UInt8])
    /// Sends bytes as they are.
    case raw([UInt8])
    /// Closes the connection.
    case close
}
