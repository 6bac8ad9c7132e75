extension SeededRandom {
    /// The number at a place of a seed's sequence, from 0 up to, but not, 1: what a series of ``unit()`` would have there.
    ///
    /// So that what depends on chance can be told for any moment without all that came before it.
    package static func unit(at place: UInt64, of seed: UInt64) -> Double {
        var random = SeededRandom(seed: seed &+ place &* 0x9E37_79B9_7F4A_7C15)
        return random.unit()
    }
}
