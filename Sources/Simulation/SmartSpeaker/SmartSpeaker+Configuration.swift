extension SmartSpeaker {
    /// How a smart speaker is built.
    package struct Configuration: Sendable, Hashable {
        /// What it takes to begin to play.
        ///
        /// 2 s by default; 0 or less makes it immediate.
        package var buffering: Duration

        /// Creates a configuration; without arguments, of a speaker that takes 2 s to begin to play.
        package init(buffering: Duration = .seconds(2)) {
            self.buffering = buffering
        }
    }
}
