extension Lock {
    /// How a lock is built.
    package struct Configuration: Sendable, Hashable {
        /// What the bolt takes for its whole way; 1 s by default, 0 or less makes every movement immediate.
        package var travel: Duration
        /// How likely a movement jams on its way, from 0, the default, which is never, to 1, which is always.
        package var jams: Double

        /// Creates a configuration; without arguments, a lock that never jams.
        package init(travel: Duration = .seconds(1), jams: Double = 0) {
            self.travel = travel
            self.jams = jams
        }
    }
}
