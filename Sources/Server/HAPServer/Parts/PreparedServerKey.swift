internal import HAPCore

/// A key pair that is generated before a controller begins pair-setup, so that the controller does not have to wait for
/// it.
struct PreparedServerKey: Sendable {
    /// The key pair, which is used once; `nil` if there is none.
    private(set) var key: SRPServerKey?
    /// The powers of the verifier, which every key pair needs; kept while no controller is paired.
    private(set) var verifierPowers: SRPVerifierPowers?
    private var isInPreparation = false

    /// Returns whether to generate a key pair now: there is none, and none is being generated.
    ///
    /// - Parameter isPaired: Whether a controller is paired. No other controller can then use pair-setup, so the key
    ///   pair is discarded.
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
