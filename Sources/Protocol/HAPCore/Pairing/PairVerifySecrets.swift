/// The secrets of one pair-verify: the shared secret, and the key for M2 and M3.
///
/// All of them use the locked memory of the ephemeral key. Each overwrites one that is no longer needed, and none
/// outlives the session.
///
/// HAP: §7
struct PairVerifySecrets: ~Copyable, Sendable {
    /// The shared secret, followed by the message key; at the end, the two session keys.
    private var memory: SecretBytes

    /// Agrees on a secret with the peer's ephemeral key; `nil` if that key is a point of small order.
    init?(_ ephemeral: consuming X25519KeyPair, peer: [UInt8]) {
        guard var memory = ephemeral.sharedSecret(with: peer) else { return nil }
        memory.withMutableBytes { memory in
            let (shared, key) = Self.halves(memory)
            HKDF.derive(.pairVerifyMessages, from: UnsafeRawBufferPointer(shared), into: key)
        }
        self.memory = memory
    }

    /// Seals M2 or M3.
    func seal(_ plaintext: [UInt8], _ label: PairingLabel) -> [UInt8] {
        memory.withBytes { memory in
            ChaChaPoly.seal(plaintext, label: label, key: UnsafeRawBufferPointer(rebasing: memory[32...]))
        }
    }

    /// Opens M2 or M3; `nil` if the tag is wrong.
    func open(_ ciphertext: [UInt8], _ label: PairingLabel) -> [UInt8]? {
        memory.withBytes { memory in
            ChaChaPoly.open(ciphertext, label: label, key: UnsafeRawBufferPointer(rebasing: memory[32...]))
        }
    }

    /// Derives the session's keys, which overwrite the secrets.
    consuming func sessionKeys(role: SessionRole, _ usage: PairingUsage = .homeKit) -> SessionKeys {
        var memory = memory
        let events =
            usage.hasEventChannel
            ? memory.withBytes { SessionSecret.events(from: UnsafeRawBufferPointer(rebasing: $0[..<32])) } : nil
        memory.withMutableBytes { memory in
            let (first, second) = Self.halves(memory)
            HKDF.derive(
                (.accessoryToController, .controllerToAccessory),
                from: UnsafeRawBufferPointer(first),
                into: (first, second)
            )
        }
        return SessionKeys(secret: SessionSecret(keys: memory), role: role, events: events)
    }

    private static func halves(
        _ memory: UnsafeMutableRawBufferPointer
    ) -> (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer) {
        (
            UnsafeMutableRawBufferPointer(rebasing: memory[..<32]),
            UnsafeMutableRawBufferPointer(rebasing: memory[32...])
        )
    }
}

/// The first half of pair-verify, in which an accessory states its identifier to any device.
///
/// It proves nothing to either side and changes nothing: without M3, the exchange ends when the connection closes.
///
/// HAP: §7
package struct PairVerifyQuery: ~Copyable {
    private let ephemeral: X25519KeyPair

    /// Creates a query with a new key pair.
    package init(ephemeral: consuming X25519KeyPair) {
        self.ephemeral = ephemeral
    }

    /// The body of M1.
    package var request: [UInt8] {
        var writer = TLV8Writer.message(1)
        writer.write(ephemeral.publicKey, .publicKey)
        return writer.bytes
    }

    /// Returns the identifier in the accessory's M2, usually its device ID.
    ///
    /// - Throws: `.refused` with the accessory's own error; `.invalid` if the response is malformed.
    package consuming func identifier(in response: [UInt8]) throws(PairingFailure) -> String {
        let location = "pair-verify M2"
        let message = try PairingResponseReader.read(response, state: 2, at: location)
        let (key, ciphertext) = try PairingResponseReader.mappingErrors { () throws(ProtocolError) in
            (try message.ephemeralKey(), try message.encryptedData())
        }
        guard let secrets = PairVerifySecrets(ephemeral, peer: key) else {
            throw .invalid(ProtocolError(.authentication, "the accessory's key is of small order", at: location))
        }
        guard let opened = secrets.open(ciphertext, .verifyM2) else {
            throw .invalid(ProtocolError(.authentication, "a tag is wrong", at: location))
        }
        return try PairingResponseReader.mappingErrors { () throws(ProtocolError) in
            let content = try TLV8Message(opened, at: location)
            return String(decoding: try content.bytes(.identifier, size: 1...255), as: UTF8.self)
        }
    }
}
