/// The pairings of an accessory server, and its count of failed proofs.
///
/// HAP: §1, §9
public struct PairingTable: Sendable, Hashable {
    /// The pairings in the order in which they were added.
    public private(set) var pairings: [Pairing]
    /// How many proofs of pair-setup failed since one succeeded, with one that is being checked.
    public private(set) var failedProofs: Int

    /// How many pairings an accessory server holds.
    public static let capacity = 64
    /// The number of failed proofs at which pair-setup is refused until the accessory is reset.
    public static let maximumFailedProofs = 100

    /// Creates a table; a negative count is taken as 0.
    public init(pairings: [Pairing] = [], failedProofs: Int = 0) {
        self.pairings = pairings
        self.failedProofs = max(failedProofs, 0)
    }

    /// Whether a controller with admin permission is paired.
    public var isPaired: Bool {
        pairings.contains(where: \.isAdmin)
    }

    /// The pairing with this identifier.
    public subscript(identifier: ControllerIdentifier) -> Pairing? {
        pairings.first { $0.identifier == identifier }
    }

    /// Makes a change.
    public mutating func apply(_ change: PairingChange) {
        switch change {
        case .put(let pairing):
            if let index = pairings.firstIndex(where: { $0.identifier == pairing.identifier }) {
                pairings[index] = pairing
            } else {
                pairings.append(pairing)
            }
        case .remove(let identifier):
            pairings.removeAll { $0.identifier == identifier }
        case .removeAll:
            pairings = []
        case .countFailedProof:
            failedProofs += 1
        case .clearFailedProofs:
            failedProofs = 0
        }
    }
}
