/// Who is home.
///
/// Users of whom nobody knows where they are do not count; when that is all of them, nobody knows.
public enum PresenceState: Sendable, Hashable {
    /// At least one.
    case anyone
    /// Nobody.
    case noOne
    /// All.
    case everyone
    /// This user.
    case user(ObjectID<HomeUser>)
}
