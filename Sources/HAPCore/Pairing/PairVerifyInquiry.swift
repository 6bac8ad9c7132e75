/// The first half of pair-verify, which an accessory answers to any stranger: who it says it is.
///
/// Nothing is proved by it to either side, and nothing is changed: without M3 the exchange ends with its connection.
///
/// HAP: §7
package struct PairVerifyInquiry: ~Copyable {
    private let ephemeral: X25519KeyPair

    /// Creates one with a key pair that was drawn for it.
    package init(ephemeral: consuming X25519KeyPair) {
        self.ephemeral = ephemeral
    }

    /// M1.
    package var question: [UInt8] {
        var writer = TLV8Writer.message(1)
        writer.write(ephemeral.publicKey, .publicKey)
        return writer.bytes
    }

    /// The identifier in the accessory's M2, as a rule its device ID.
    ///
    /// - Throws: `.refused` with the accessory's own error; `.invalid` when the answer is none.
    package consuming func identifier(in answer: [UInt8]) throws(PairingFailure) -> String {
        let location = "pair-verify M2"
        let message = try PairingAnswer.read(answer, state: 2, at: location)
        let (key, ciphertext) = try PairingAnswer.check { () throws(ProtocolError) in
            (try message.ephemeralKey(), try message.encryptedData())
        }
        guard let secrets = PairVerifySecrets(ephemeral, peer: key) else {
            throw .invalid(ProtocolError(.authentication, "the accessory's key is of small order", at: location))
        }
        guard let opened = secrets.open(ciphertext, .verifyM2) else {
            throw .invalid(ProtocolError(.authentication, "a tag is wrong", at: location))
        }
        return try PairingAnswer.check { () throws(ProtocolError) in
            let content = try TLV8Message(opened, at: location)
            return String(decoding: try content.bytes(.identifier, size: 1...255), as: UTF8.self)
        }
    }
}
