import HAPCore

/// What was sealed anew on its way, and says something else than what was sealed first.
struct Forgeries {
    private var ciphertexts: Set<[UInt8]> = []

    /// Notes a change of what is sealed in a message; harmless ones, such as another order, are none.
    mutating func note(_ original: [UInt8], changedTo content: [UInt8], in ciphertext: [UInt8]) {
        if Self.credentials(original) != Self.credentials(content) {
            ciphertexts.insert(ciphertext)
        }
    }

    /// Whether this message carries one.
    func contain(_ message: [UInt8]) -> Bool {
        guard let sealed = (try? TLV8Message(message, at: "fuzz"))?[.encryptedData] else { return false }
        return ciphertexts.contains(sealed)
    }

    /// Name, key and signature; `nil` when it is no message.
    private static func credentials(_ content: [UInt8]) -> [[UInt8]?]? {
        guard let message = try? TLV8Message(content, at: "fuzz") else { return nil }
        return [message[.identifier], message[.publicKey], message[.signature]]
    }
}
