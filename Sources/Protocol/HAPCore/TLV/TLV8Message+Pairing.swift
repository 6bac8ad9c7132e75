extension TLV8Message {
    /// Returns the number of the message: 1 for M1.
    package func state() throws(ProtocolError) -> UInt8 {
        try byte(.state)
    }

    /// Returns the controller's public key for SRP: 1 to 384 bytes.
    package func srpPublicKey() throws(ProtocolError) -> [UInt8] {
        try bytes(.publicKey, size: 1...SRPGroup.elementLength)
    }

    /// Returns an ephemeral X25519 key: 32 bytes.
    package func ephemeralKey() throws(ProtocolError) -> [UInt8] {
        try bytes(.publicKey, size: 32...32)
    }

    /// Returns a proof of SRP: 64 bytes.
    package func proof() throws(ProtocolError) -> [UInt8] {
        try bytes(.proof, size: 64...64)
    }

    /// Returns an Ed25519 signature: 64 bytes.
    package func signature() throws(ProtocolError) -> [UInt8] {
        try bytes(.signature, size: 64...64)
    }

    /// Returns a ciphertext and its tag: at least 16 bytes.
    package func encryptedData() throws(ProtocolError) -> [UInt8] {
        try bytes(.encryptedData, size: ChaChaPoly.tagLength...Int.max)
    }

    /// Returns a controller's identifier: 1 to 36 bytes.
    package func controllerIdentifier() throws(ProtocolError) -> ControllerIdentifier {
        guard let identifier = ControllerIdentifier(try bytes(.identifier, size: 1...36)) else {
            throw malformed("identifier is not 1 to 36 bytes")
        }
        return identifier
    }

    /// Returns a long-term public key: 32 bytes.
    package func longTermKey() throws(ProtocolError) -> Ed25519PublicKey {
        guard let key = Ed25519PublicKey(try bytes(.publicKey, size: 32...32)) else {
            throw malformed("publicKey is not 32 bytes")
        }
        return key
    }

    /// Returns the flags, a number of up to four bytes, little-endian; 0 without flags.
    ///
    /// HAP: §0, §6.4
    package func flags() throws(ProtocolError) -> UInt32 {
        (try optionalBytes(.flags, size: 0...4) ?? []).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The types of the items of a pairing message.
///
/// HAP: §5
package enum TLVType: UInt8, Sendable, Hashable, CaseIterable {
    case method = 0x00
    case identifier = 0x01
    case salt = 0x02
    case publicKey = 0x03
    case proof = 0x04
    case encryptedData = 0x05
    case state = 0x06
    case error = 0x07
    case retryDelay = 0x08
    case certificate = 0x09
    case signature = 0x0A
    case permissions = 0x0B
    case fragmentData = 0x0C
    case fragmentLast = 0x0D
    case sessionID = 0x0E
    case flags = 0x13
    case separator = 0xFF
}

/// The request of a pairing message: the value of its Method item.
///
/// HAP: §5
package enum PairingMethod: UInt8, Sendable, Hashable {
    case pairSetup = 0
    case pairSetupWithAuth = 1
    case pairVerify = 2
    case addPairing = 3
    case removePairing = 4
    case listPairings = 5
    case pairResume = 6
}
