internal import HAPCore

/// A key pair that is made before a controller begins pair-setup, which then does not wait for it.
struct PreparedServerKey: Sendable {
    /// The key pair, which is used once; `nil` when there is none.
    private(set) var key: SRPServerKey?
    /// For every key pair that is made while no controller is paired.
    private(set) var verifierPowers: SRPVerifierPowers?
    private var isInPreparation = false

    /// Returns whether a key pair has to be made now: there is none, and none is being made.
    ///
    /// - Parameter isPaired: Whether a controller is paired, so that no other one may begin: the key pair is forgotten.
    mutating func beginPreparation(isPaired: Bool) -> Bool {
        guard !isPaired else {
            key = nil
            verifierPowers = nil
            return false
        }
        defer { isInPreparation = key == nil }
        return key == nil && !isInPreparation
    }

    /// Takes the key pair that was made; `nil` when none could be made.
    mutating func finishPreparation(_ made: (key: SRPServerKey, powers: SRPVerifierPowers)?) {
        isInPreparation = false
        guard let made else { return }
        (key, verifierPowers) = made
    }

    /// Takes the key pair away, to be used.
    mutating func take() -> SRPServerKey? {
        key.take()
    }
}
