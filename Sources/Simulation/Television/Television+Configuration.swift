extension Television {
    /// How a television is built.
    package struct Configuration: Sendable, Hashable {
        /// What it takes from Active 1 until there is a picture.
        ///
        /// 5 s by default; 0 or less makes it immediate.
        package var boots: Duration
        /// What it takes to begin to play.
        ///
        /// 1 s by default; 0 or less makes it immediate.
        package var buffering: Duration

        /// Creates a configuration; without arguments, of a television that takes 5 s to show a picture.
        package init(boots: Duration = .seconds(5), buffering: Duration = .seconds(1)) {
            self.boots = boots
            self.buffering = buffering
        }
    }
}
