/// The encryption and signatures of pair-setup, after both sides share the session key of SRP.
///
/// HAP: §6.2
enum PairSetupSecrets {
    /// The identifier, key and signature that M5 and M6 carry encrypted.
    struct Credentials {
        var identifier: [UInt8]
        var publicKey: Ed25519PublicKey
        var signature: [UInt8]

        /// The items in the protocol's order.
        var encoded: [UInt8] {
            var writer = TLV8Writer()
            writer.write(identifier, .identifier)
            writer.write(publicKey.bytes, .publicKey)
            writer.write(signature, .signature)
            return writer.bytes
        }
    }

    /// Seals M5 or M6.
    static func seal(_ credentials: Credentials, _ label: PairingLabel, _ agreement: SRPAgreement) -> [UInt8] {
        HKDF.key(for: .pairSetupMessages, from: agreement.sessionKey)
            .withBytes { key in
                ChaChaPoly.seal(credentials.encoded, label: label, key: key)
            }
    }

    /// Opens M5 or M6; `nil` if the tag is wrong.
    static func open(_ ciphertext: [UInt8], _ label: PairingLabel, _ agreement: SRPAgreement) -> [UInt8]? {
        HKDF.key(for: .pairSetupMessages, from: agreement.sessionKey)
            .withBytes { key in
                ChaChaPoly.open(ciphertext, label: label, key: key)
            }
    }

    /// Returns credentials with a signature of `X ‖ identifier ‖ key`.
    static func sign(
        identifier: [UInt8],
        with key: borrowing Ed25519SigningKey,
        _ purpose: KeyPurpose,
        _ agreement: SRPAgreement
    ) -> Credentials {
        let message = signedMessage(identifier, key.publicKey, purpose, agreement)
        return Credentials(identifier: identifier, publicKey: key.publicKey, signature: key.signature(of: message))
    }

    /// Returns whether the signature of `X ‖ identifier ‖ key` was made with the key in the credentials.
    static func isValid(_ credentials: Credentials, _ purpose: KeyPurpose, _ agreement: SRPAgreement) -> Bool {
        let message = signedMessage(credentials.identifier, credentials.publicKey, purpose, agreement)
        return credentials.publicKey.isValidSignature(credentials.signature, of: message)
    }

    /// Returns `X ‖ identifier ‖ key`.
    ///
    /// X is derived from the session key, but it need not be protected: both sides know it, and it is useless without
    /// both encrypted messages.
    private static func signedMessage(
        _ identifier: [UInt8],
        _ key: Ed25519PublicKey,
        _ purpose: KeyPurpose,
        _ agreement: SRPAgreement
    ) -> [UInt8] {
        HKDF.key(for: purpose, from: agreement.sessionKey).withBytes { Array($0) } + identifier + key.bytes
    }
}
