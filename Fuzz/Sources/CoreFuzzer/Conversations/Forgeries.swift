import HAPCore

/// The content that was encrypted again on its way, and that differs from the original.
struct Forgeries {
    /// The types of content that have a meaning.
    let types: [TLVType]
    private var ciphertexts: Set<[UInt8]> = []

    init(of types: [TLVType]) {
        self.types = types
    }

    /// Replaces the encrypted content; returns `nil` if the key does not decrypt it.
    ///
    /// Changes without a meaning, such as another order, are no forgery.
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

    /// Whether this message carries one.
    func contain(_ message: [UInt8]) -> Bool {
        guard let sealed = (try? TLV8Message(message, at: "fuzz"))?[.encryptedData] else { return false }
        return ciphertexts.contains(sealed)
    }

    /// The values that count; `nil` when it is no message.
    private func credentials(_ content: [UInt8]) -> [[UInt8]?]? {
        guard let message = try? TLV8Message(content, at: "fuzz") else { return nil }
        return types.map { message[$0] }
    }
}
