extension PositionDrive {
    /// How a door, a window or a covering is built.
    package struct Configuration: Sendable, Hashable {
        /// What the whole way takes, from 0 to 100 % as well as back.
        ///
        /// 20 s by default; 0 or less makes every movement immediate.
        package var travel: Duration
        /// What slats take from −90° to 90° as well as back.
        ///
        /// 3 s by default; 0 or less makes every tilt immediate.
        package var tiltTravel: Duration
        /// At which multiples of a percentage Current Position changes on the way, besides the end; 10 by default, at
        /// least 1.
        package var step: Double

        /// Creates a configuration; without arguments, one that takes 20 s and is told of every 10 %.
        package init(travel: Duration = .seconds(20), tiltTravel: Duration = .seconds(3), step: Double = 10) {
            self.travel = travel
            self.tiltTravel = tiltTravel
            self.step = step
        }
    }
}
