extension BinarySensor {
    /// How a sensor is built, and what it is made to find.
    package struct Configuration: Sendable, Hashable {
        /// How it is set off by itself; ``SensorPattern/still`` by default.
        package var pattern: SensorPattern
        /// The time in which a pattern sets it off once.
        ///
        /// 10 min by default, at least a second.
        package var every: Duration
        /// How long a pattern sets it off for.
        ///
        /// 1 min by default, at most ``every``.
        package var lasts: Duration
        /// How long what it was told lasts; `nil`, the default, means until it is told otherwise.
        package var clears: Duration?

        /// Creates a configuration; without arguments, of a sensor that nothing sets off but a command.
        package init(
            pattern: SensorPattern = .still,
            every: Duration = .seconds(600),
            lasts: Duration = .seconds(60),
            clears: Duration? = nil
        ) {
            self.pattern = pattern
            self.every = every
            self.lasts = lasts
            self.clears = clears
        }
    }
}
