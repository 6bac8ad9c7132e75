/// The answer to a challenge, as a sender reads it.
///
/// See `docs/cast.md`.
package struct DeviceProof: Sendable, Hashable {
    /// Of the nonce and the TLS certificate in DER, with the key of the device.
    package private(set) var signature: [UInt8] = []
    /// The device certificate in DER.
    package private(set) var certificate: [UInt8] = []

    /// Parses the binary payload of a message; `nil` if the receiver has refused the challenge.
    ///
    /// - Throws: ``CastError`` if the payload is no message of device authentication.
    package init?(parsing payload: [UInt8]) throws(CastError) {
        var reader = ProtocolBufferReader(payload[...])
        var response: [UInt8]?
        while let (field, value) = try reader.next() {
            if field == 2 { response = try value.bytes("response") }
        }
        guard let response else { return nil }
        reader = ProtocolBufferReader(response[...])
        while let (field, value) = try reader.next() {
            switch field {
            case 1: signature = try value.bytes("signature")
            case 2: certificate = try value.bytes("client_auth_certificate")
            default: break
            }
        }
    }

    /// Returns the payload of a challenge that asks for a signature with SHA-256.
    package static func challenge(nonce: [UInt8]) -> [UInt8] {
        var challenge = ProtocolBufferWriter()
        challenge.write(1, number: 1)
        challenge.write(2, bytes: nonce)
        challenge.write(3, number: AuthenticationChallenge.Hash.sha256.rawValue)
        var message = ProtocolBufferWriter()
        message.write(1, bytes: challenge.bytes)
        return message.bytes
    }
}
