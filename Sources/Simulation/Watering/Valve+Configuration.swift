extension Valve {
    /// How a valve is built.
    package struct Configuration: Sendable, Hashable {
        /// What it takes to open, and to close again.
        ///
        /// 1 s by default; 0 or less makes it immediate.
        package var opens: Duration
        /// How long it stays open where the service has no Set Duration, or that is 0; `nil`, the default, means until it
        /// is turned off.
        package var lasts: Duration?
        /// How often Remaining Duration is told while it counts down.
        ///
        /// 60 s by default, at least a second.
        package var reports: Duration

        /// Creates a configuration; without arguments, of a valve that opens in a second.
        package init(opens: Duration = .seconds(1), lasts: Duration? = nil, reports: Duration = .seconds(60)) {
            self.opens = opens
            self.lasts = lasts
            self.reports = reports
        }
    }
}
