/// The results of the requests of a round.
struct Tally {
    /// The number of changes that were acknowledged, and found after the restart.
    var acknowledged = 0
    /// The number of changes that were not acknowledged, but completely stored.
    var stored = 0
    /// The number of changes that were not acknowledged, and not stored.
    var absent = 0
    /// The time until the server listened again.
    var restartDuration = Duration.zero
}
