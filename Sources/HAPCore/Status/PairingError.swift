/// The value of a pairing reply's Error item.
///
/// HAP: §5
public enum PairingError: UInt8, Sendable, Hashable, CaseIterable {
    /// Something failed for a reason that has no code of its own.
    case unknown = 1
    /// A proof, a signature or a permission was not accepted.
    case authentication = 2
    /// Obsolete: wait before the next try.
    case backoff = 3
    /// No room for another pairing.
    case maxPeers = 4
    /// Too many failed proofs: the accessory must be reset first.
    case maxTries = 5
    /// The accessory is paired already.
    case unavailable = 6
    /// Another controller is pairing at this moment.
    case busy = 7
}

extension PairingError: CustomStringConvertible {
    /// HAP's name of the error.
    public var description: String {
        switch self {
        case .unknown: "Unknown"
        case .authentication: "Authentication"
        case .backoff: "Backoff"
        case .maxPeers: "MaxPeers"
        case .maxTries: "MaxTries"
        case .unavailable: "Unavailable"
        case .busy: "Busy"
        }
    }
}
