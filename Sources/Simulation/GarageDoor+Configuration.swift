extension GarageDoor {
    /// How a garage door is built.
    package struct Configuration: Sendable, Hashable {
        /// What the whole way takes, from closed to open as well as back.
        ///
        /// 12 s by default; 0 or less makes every movement of the door immediate.
        package var travel: Duration
        /// What the lock's bolt takes for its whole way.
        ///
        /// 1 s by default; 0 or less makes every movement of the bolt immediate.
        package var lockTravel: Duration
        /// How long an obstruction lasts unless it is taken away before.
        ///
        /// `nil`, the default, means until it is taken away; 0 or less makes it leave at once, having done its work.
        package var obstructionClears: Duration?

        /// Creates a configuration; without arguments, the Kilgo garage's.
        package init(
            travel: Duration = .seconds(12),
            lockTravel: Duration = .seconds(1),
            obstructionClears: Duration? = nil
        ) {
            self.travel = travel
            self.lockTravel = lockTravel
            self.obstructionClears = obstructionClears
        }
    }
}
