extension Battery {
    /// How a battery is built.
    package struct Configuration: Sendable, Hashable {
        /// The days that it takes to run down from 100 % to nothing.
        ///
        /// 365 by default; 0 or less empties it at once.
        package var days: Double
        /// What it takes to charge from nothing to 100 %.
        ///
        /// 2 h by default; 0 or less fills it at once.
        package var charge: Duration
        /// The level in percent up to which it is low; 20 by default.
        package var low: Double

        /// Creates a configuration; without arguments, of a battery that lasts a year.
        package init(days: Double = 365, charge: Duration = .seconds(7_200), low: Double = 20) {
            self.days = days
            self.charge = charge
            self.low = low
        }
    }
}
