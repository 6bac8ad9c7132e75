internal import CSodium

/// The initialization of libsodium before its first use.
package enum Sodium {
    /// Prepares libsodium; cheap and safe to call again, from any thread.
    package static func initialize() {
        precondition(isReady, "libsodium cannot be initialized: the system has no usable source of randomness")
    }

    private static let isReady = sodium_init() >= 0
}

/// The system's cryptographic source of randomness.
public struct SodiumRandomNumberGenerator: RandomNumberGenerator, Sendable {
    /// Creates a generator; all of them draw from the same source.
    public init() {
        Sodium.initialize()
    }

    /// Returns 64 random bits.
    public mutating func next() -> UInt64 {
        var value: UInt64 = 0
        withUnsafeMutableBytes(of: &value) { randombytes_buf($0.bytePointer, $0.count) }
        return value
    }
}

/// Comparison whose duration does not depend on the bytes.
package enum ConstantTime {
    /// Returns whether two byte strings are equal.
    ///
    /// Their lengths are not secret.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        guard !left.isEmpty else { return true }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                sodium_memcmp(left.bytePointer, right.bytePointer, left.count) == 0
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The address of the first byte, for C functions that do not accept null.
    ///
    /// Only for buffers that are not empty.
    var bytePointer: UnsafePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("an empty buffer has no address") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The address of the first byte, for C functions that do not accept null.
    ///
    /// Only for buffers that are not empty.
    var bytePointer: UnsafeMutablePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("an empty buffer has no address") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}
