package import AccessoryModel

extension DimmableLight {
    /// How a lamp is built.
    package struct Configuration: FadeConfiguration, Hashable {
        /// The characteristic of the same service that holds the time of a fade in seconds; `nil` when none does.
        package var fadeRate: CharacteristicType?
        /// What a fade takes as long as the fade rate has no value.
        ///
        /// 1 s by default; 0 or less makes the output jump.
        package var fade: Duration

        /// Creates a configuration; without arguments, every fade takes 1 s.
        package init(fadeRate: CharacteristicType? = nil, fade: Duration = .seconds(1)) {
            self.fadeRate = fadeRate
            self.fade = fade
        }
    }
}
