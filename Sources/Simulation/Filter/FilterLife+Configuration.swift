extension FilterLife {
    /// How a filter is built.
    package struct Configuration: Sendable, Hashable {
        /// How long a new one lasts while air goes through it; 180 days by default, at least a minute.
        package var life: Duration
        /// At which Filter Life Level, in %, it is to be changed; 10 by default.
        package var changeAt: Double

        /// Creates a configuration; without arguments, a filter for half a year.
        package init(life: Duration = .seconds(180 * 86_400), changeAt: Double = 10) {
            self.life = life
            self.changeAt = changeAt
        }
    }
}
