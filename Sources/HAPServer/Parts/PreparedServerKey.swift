internal import HAPCore

/// A key pair that is made before a controller begins pair-setup, which then does not wait for it.
struct PreparedServerKey: Sendable {
    /// The key pair, which is used once; `nil` if there is none.
    private(set) var key: SRPServerKey?
    /// For every key pair that is made while no controller is paired.
    private(set) var verifierPowers: SRPVerifierPowers?
    private var isInPreparation = false

    /// Returns whether to generate a key pair now: there is none, and none is being generated.
    ///
    /// - Parameter isPaired: Whether a controller is paired, so that no other one may pair: the key pair is discarded.
    mutating func beginPreparation(isPaired: Bool) -> Bool {
        guard !isPaired else {
            key = nil
            verifierPowers = nil
            return false
        }
        defer { isInPreparation = key == nil }
        return key == nil && !isInPreparation
    }

    /// Stores a generated key pair; `nil` if the generation failed.
    mutating func finishPreparation(_ made: (key: SRPServerKey, powers: SRPVerifierPowers)?) {
        isInPreparation = false
        guard let made else { return }
        (key, verifierPowers) = made
    }

    /// Removes the key pair for use.
    mutating func take() -> SRPServerKey? {
        key.take()
    }
}
