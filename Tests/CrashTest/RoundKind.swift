/// What a server does while it is killed.
enum RoundKind: String, CaseIterable {
    /// It starts for the first time, or again.
    case start
    /// It is paired.
    case pair
    /// It is told to add controllers and to change their permissions.
    case add
    /// It is told to remove controllers, the last one at times.
    case remove
    /// Somebody tries wrong setup codes.
    case wrongCode
    /// Values are written.
    case write
    /// Its accessories are replaced.
    case structure
}
