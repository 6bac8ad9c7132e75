internal import CSodium

/// What every use of libsodium needs first.
package enum Sodium {
    /// Prepares libsodium; cheap and safe to call again, from any thread.
    package static func initialize() {
        precondition(isReady, "libsodium cannot be initialised: the system has no usable source of randomness")
    }

    private static let isReady = sodium_init() >= 0
}
