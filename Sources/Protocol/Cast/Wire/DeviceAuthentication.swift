/// A sender's question whether the receiver is a known device.
///
/// See `docs/cast.md`.
package struct AuthenticationChallenge: Sendable, Hashable {
    package enum Hash: UInt64, Sendable, Hashable {
        case sha1 = 0
        case sha256 = 1
    }

    /// What the receiver signs, before its TLS certificate.
    package private(set) var nonce: [UInt8] = []
    package private(set) var hash = Hash.sha1
    /// Whether the sender wants RSASSA-PKCS1v15, the only algorithm that receivers have.
    package private(set) var isSupported = true

    /// Parses the binary payload of a message.
    ///
    /// - Throws: ``CastError`` if the payload is not a challenge.
    package init(parsing payload: [UInt8]) throws(CastError) {
        var reader = ProtocolBufferReader(payload[...])
        var challenge: [UInt8]?
        while let (field, value) = try reader.next() {
            if field == 1 { challenge = try value.bytes("challenge") }
        }
        guard let challenge else { throw .malformed("A message of device authentication is not a challenge.") }
        reader = ProtocolBufferReader(challenge[...])
        while let (field, value) = try reader.next() {
            switch field {
            case 1: isSupported = try value.number("signature_algorithm") <= 1
            case 2: nonce = try value.bytes("sender_nonce")
            case 3: hash = Hash(rawValue: try value.number("hash_algorithm")) ?? .sha1
            default: break
            }
        }
    }
}

/// The payload with which a receiver answers a challenge.
package enum AuthenticationAnswer {
    /// Returns the proof that the receiver has a device certificate.
    ///
    /// - Parameters:
    ///   - signature: Of the nonce and the TLS certificate in DER, with the key of the device.
    ///   - certificate: The device certificate in DER.
    ///   - intermediates: The certificates between it and the root, in DER.
    package static func proof(
        _ signature: [UInt8],
        certificate: [UInt8],
        intermediates: [[UInt8]],
        to challenge: AuthenticationChallenge
    ) -> [UInt8] {
        var proof = ProtocolBufferWriter()
        proof.write(1, bytes: signature)
        proof.write(2, bytes: certificate)
        for intermediate in intermediates { proof.write(3, bytes: intermediate) }
        proof.write(4, number: 1)
        proof.write(5, bytes: challenge.nonce)
        proof.write(6, number: challenge.hash.rawValue)
        var answer = ProtocolBufferWriter()
        answer.write(2, bytes: proof.bytes)
        return answer.bytes
    }

    /// Returns a refusal: 0 for a failure of the receiver, 2 for an algorithm that it does not have.
    package static func refusal(_ code: UInt64) -> [UInt8] {
        var error = ProtocolBufferWriter()
        error.write(1, number: code)
        var answer = ProtocolBufferWriter()
        answer.write(3, bytes: error.bytes)
        return answer.bytes
    }
}
