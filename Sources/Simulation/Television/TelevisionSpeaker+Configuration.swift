extension TelevisionSpeaker {
    /// How a speaker is built.
    package struct Configuration: Sendable, Hashable {
        /// How far one press of a volume key moves Volume, in percent; 5 by default.
        package var step: Double

        /// Creates a configuration; without arguments, of keys that move Volume by 5 %.
        package init(step: Double = 5) {
            self.step = step
        }
    }
}
