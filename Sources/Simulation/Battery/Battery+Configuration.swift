extension Battery {
    /// How a battery is built.
    package struct Configuration: Sendable, Hashable {
        /// What it takes to run down from 100 % to nothing.
        ///
        /// 365 days by default; 0 or less empties it at once.
        package var life: Duration
        /// What it takes to charge from nothing to 100 %.
        ///
        /// 2 h by default; 0 or less fills it at once.
        package var charge: Duration
        /// The level in percent up to which it is low; 20 by default.
        package var low: Double

        /// Creates a configuration; without arguments, of a battery that lasts a year.
        package init(
            life: Duration = .seconds(365 * 86_400),
            charge: Duration = .seconds(7_200),
            low: Double = 20
        ) {
            self.life = life
            self.charge = charge
            self.low = low
        }
    }
}
