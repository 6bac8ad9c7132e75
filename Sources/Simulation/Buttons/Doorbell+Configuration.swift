extension Doorbell {
    /// How a doorbell is built.
    package struct Configuration: Sendable, Hashable {
        /// How long its chime sounds.
        ///
        /// 2 s by default; 0 or less makes it silent.
        package var chime: Duration

        /// Creates a configuration; without arguments, of a chime of 2 s.
        package init(chime: Duration = .seconds(2)) {
            self.chime = chime
        }
    }
}
