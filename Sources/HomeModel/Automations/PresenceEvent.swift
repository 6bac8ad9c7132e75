/// Somebody comes or goes.
///
/// Users of whom nobody knows where they are do not count; becoming known is neither coming nor going.
public enum PresenceEvent: Sendable, Hashable {
    /// Somebody comes, and nobody was home.
    case firstArrives
    /// Somebody goes, and nobody is home any more.
    case lastLeaves
    /// Somebody comes, and now all are home.
    case everyoneArrives
    /// This user comes.
    case arrives(ObjectID<HomeUser>)
    /// This user goes.
    case leaves(ObjectID<HomeUser>)
}
