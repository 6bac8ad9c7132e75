/// What has become of what was asked for in a round.
struct Tally {
    /// How often something was acknowledged, and found after the restart.
    var acknowledged = 0
    /// How often something was not acknowledged, and found whole.
    var stored = 0
    /// How often something was not acknowledged, and nothing of it found.
    var absent = 0
    /// How long the server took to listen again.
    var restartDuration = Duration.zero
}
