/// An error of the peer: bytes that violate the protocol.
///
/// This is the only error type of this module. An error of the caller is a precondition failure instead.
public struct ProtocolError: Error, Sendable, Hashable {
    /// The layer that refused the bytes.
    public enum Code: String, Sendable, Hashable {
        /// A TLV8 message is malformed, lacks an item, or has an item of the wrong size.
        case tlv
        /// A session frame is malformed or its tag is wrong.
        case frame
        /// A request or response line, a header or a body length is malformed.
        case http
        /// A JSON text is malformed or lacks a required member.
        case json
        /// A message is larger than the limit.
        case tooLarge
        /// A message came out of sequence.
        case sequence
        /// A key, a signature or a proof is invalid.
        case authentication
        /// The peer has answered with its own error.
        case refused
    }

    /// The layer that refused the bytes.
    public var code: Code
    /// The error in words, for a log line.
    ///
    /// It never contains a secret or a peer's raw bytes.
    public var reason: String
    /// The message or item with the error, such as `pair-setup M3`.
    public var location: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String, at location: String) {
        self.code = code
        self.reason = reason
        self.location = location
    }
}

extension ProtocolError: CustomStringConvertible {
    /// `where: what (layer)`.
    public var description: String {
        "\(location): \(reason) (\(code.rawValue))"
    }
}

/// The value of the Error item in a pairing response.
///
/// HAP: §5
public enum PairingErrorCode: UInt8, Sendable, Hashable, CaseIterable {
    /// A failure without a more specific code.
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

extension PairingErrorCode: CustomStringConvertible {
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
