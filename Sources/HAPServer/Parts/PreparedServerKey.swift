internal import HAPCore

/// A key pair that is made before a controller begins pair-setup, which then does not wait for it.
struct PreparedServerKey: Sendable {
    /// The key pair, which is used once; `nil` when there is none.
    private(set) var key: SRPServerKey?
    /// For every key pair that is made while no controller is paired.
    private(set) var powers: SRPVerifierPowers?
    private var isBeingMade = false

    /// Asks for a key pair to be made, unless there is one, or one is being made.
    ///
    /// - Parameters:
    ///   - isPaired: Whether a controller is paired, so that no other one may begin: the key pair is forgotten.
    ///   - make: Has a key pair made later; returns whether that will be done.
    mutating func prepare(isPaired: Bool, _ make: () -> Bool) {
        if isPaired {
            key = nil
            powers = nil
        } else if key == nil, !isBeingMade {
            isBeingMade = make()
        }
    }

    /// Takes the key pair that was made; `nil` gives up making one.
    mutating func made(_ made: (key: SRPServerKey, powers: SRPVerifierPowers)?) {
        isBeingMade = false
        guard let made else { return }
        (key, powers) = made
    }

    /// Takes the key pair away, to be used.
    mutating func take() -> SRPServerKey? {
        key.take()
    }
}
