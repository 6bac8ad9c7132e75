extension SecuritySystem {
    /// How a security system is built.
    package struct Configuration: Sendable, Hashable {
        /// The time to leave, from a written target until it is armed.
        ///
        /// 30 s by default; 0 or less arms it at once.
        package var exitDelay: Duration
        /// The time to disarm it, from what a sensor finds until the alarm.
        ///
        /// 30 s by default; 0 or less gives the alarm at once.
        package var entryDelay: Duration
        /// How long the alarm lasts; `nil`, the default, means until it is disarmed.
        package var alarm: Duration?

        /// Creates a configuration; without arguments, with 30 s to leave and to disarm it.
        package init(
            exitDelay: Duration = .seconds(30),
            entryDelay: Duration = .seconds(30),
            alarm: Duration? = nil
        ) {
            self.exitDelay = exitDelay
            self.entryDelay = entryDelay
            self.alarm = alarm
        }
    }
}
