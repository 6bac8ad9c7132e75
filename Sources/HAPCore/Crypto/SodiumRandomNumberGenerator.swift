internal import CSodium

/// The system's cryptographic source of randomness.
public struct SodiumRandomNumberGenerator: RandomNumberGenerator, Sendable {
    /// Creates a generator; all of them draw from the same source.
    public init() {
        Sodium.initialize()
    }

    /// Draws 64 bits.
    public mutating func next() -> UInt64 {
        var value: UInt64 = 0
        withUnsafeMutableBytes(of: &value) { randombytes_buf($0.octets, $0.count) }
        return value
    }
}
