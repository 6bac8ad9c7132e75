import HAPCore

/// The messages whose encrypted content was changed on the way.
struct Forgeries {
    /// The TLV types whose values matter.
    let types: [TLVType]
    private var ciphertexts: Set<[UInt8]> = []

    init(of types: [TLVType]) {
        self.types = types
    }

    /// Decrypts content, changes it and encrypts it again; returns `nil` if the key does not decrypt it.
    ///
    /// Changes that do not matter, such as another order, are not a forgery.
    mutating func sealAnew(
        _ ciphertext: [UInt8],
        _ label: PairingLabel,
        key: borrowing SecretBytes,
        by mutation: Mutation
    ) -> [UInt8]? {
        let contents = key.withBytes { key in
            ChaChaPoly.open(ciphertext, label: label, key: key)
                .map { content in
                    let other = mutation.apply(to: content)
                    return (content, other, ChaChaPoly.seal(other, label: label, key: key))
                }
        }
        guard let (content, other, sealed) = contents else { return nil }
        if credentials(content) != credentials(other) {
            ciphertexts.insert(sealed)
        }
        return sealed
    }

    /// Returns whether this message contains a forgery.
    func contain(_ message: [UInt8]) -> Bool {
        guard let sealed = (try? TLV8Message(message, at: "fuzz"))?[.encryptedData] else { return false }
        return ciphertexts.contains(sealed)
    }

    /// Returns the values that matter; `nil` if the content is not a TLV message.
    private func credentials(_ content: [UInt8]) -> [[UInt8]?]? {
        guard let message = try? TLV8Message(content, at: "fuzz") else { return nil }
        return types.map { message[$0] }
    }
}
