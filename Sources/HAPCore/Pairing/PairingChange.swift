/// A change of an accessory server's pairings that must be on disk before it is acknowledged.
public enum PairingChange: Sendable, Hashable {
    /// Adds a pairing, or replaces the one with the same identifier.
    case put(Pairing)
    /// Removes one pairing.
    case remove(ControllerIdentifier)
    /// Removes all: the last admin has gone.
    case removeAll
    /// Counts one more proof as failed; made before the proof is checked.
    case countFailedProof
    /// Sets the count of failed proofs to zero.
    case clearFailedProofs
}
