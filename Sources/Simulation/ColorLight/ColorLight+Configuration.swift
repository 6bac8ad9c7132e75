package import AccessoryModel

extension ColorLight {
    /// How a lamp is built.
    package struct Configuration: FadeConfiguration, Hashable {
        /// The characteristic of the same service that holds the time of a fade in seconds; `nil` when none does.
        package var fadeRate: CharacteristicType?
        /// What a fade takes as long as the fade rate has no value.
        ///
        /// 1 s by default; 0 or less makes the output jump.
        package var fade: Duration
        /// The coldest white that a colour is matched with, in mired; 153 by default.
        package var coldest: Double
        /// The warmest white that a colour is matched with, in mired; 400 by default, not less than the coldest.
        package var warmest: Double

        /// Creates a configuration; without arguments, every fade takes 1 s.
        package init(
            fadeRate: CharacteristicType? = nil,
            fade: Duration = .seconds(1),
            coldest: Double = 153,
            warmest: Double = 400
        ) {
            self.fadeRate = fadeRate
            self.fade = fade
            self.coldest = coldest
            self.warmest = warmest
        }

        /// The whites in whole mired.
        var whites: ClosedRange<Int> {
            let coldest = Int(coldest.within(50...1_000))
            return coldest...max(coldest, Int(warmest.within(50...1_000)))
        }
    }
}
