/// Why a controller's exchange with an accessory came to nothing.
///
/// HAP: §5, §6.3
public enum PairingFailure: Error, Sendable, Hashable {
    /// The accessory answered with an error.
    case refused(PairingError)
    /// The accessory's message breaks the protocol, or is not signed by the one it should be.
    case invalid(ProtocolError)
}

extension PairingFailure: CustomStringConvertible {
    /// The accessory's error by its name, or what was wrong with its message.
    public var description: String {
        switch self {
        case .refused(let error): "refused: \(error)"
        case .invalid(let error): error.description
        }
    }
}
