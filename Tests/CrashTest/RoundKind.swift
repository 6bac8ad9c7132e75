/// The operation of a server during which it is killed.
enum RoundKind: String, CaseIterable {
    /// The server starts, for the first time or again.
    case start
    /// A controller pairs with the server.
    case pair
    /// A controller adds controllers and changes their permissions.
    case add
    /// A controller removes controllers, sometimes including the last one.
    case remove
    /// A controller tries wrong setup codes.
    case wrongCode
    /// A controller writes values.
    case write
    /// The accessories of the server are replaced.
    case structure
}
