/// A reproducible random number generator: the same seed gives the same numbers on every machine.
///
/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). Not for secrets.
package struct SeededRandom: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// Creates a generator with a seed; any seed is suitable.
    package init(seed: UInt64) {
        state = seed
    }

    /// Returns a separate seed for a name, derived from a common one: FNV-1a over the name.
    package static func seed(_ seed: UInt64, for name: String) -> UInt64 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ seed
        for byte in name.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    package mutating func nextUnit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns a duration within a range, to the nanosecond.
    package mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        let width = range.upperBound - range.lowerBound
        return width <= .zero ? range.lowerBound : min(range.lowerBound + width * nextUnit(), range.upperBound)
    }

    /// Returns the number at an index of a seed's sequence, as successive calls of ``nextUnit()`` would return it.
    ///
    /// The number is from 0 up to, but not including, 1. It can be computed without the numbers before it.
    package static func unit(at place: UInt64, seed: UInt64) -> Double {
        var random = SeededRandom(seed: seed &+ place &* 0x9E37_79B9_7F4A_7C15)
        return random.nextUnit()
    }
}
