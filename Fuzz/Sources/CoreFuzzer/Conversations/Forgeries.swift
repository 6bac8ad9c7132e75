import HAPCore

/// What was sealed anew on its way, and says something else than what was sealed first.
struct Forgeries {
    /// What counts in the content; everything else in it means nothing.
    let types: [TLVType]
    private var ciphertexts: Set<[UInt8]> = []

    init(of types: [TLVType]) {
        self.types = types
    }

    /// Notes a change of what is sealed in a message; harmless ones, such as another order, are none.
    mutating func note(_ original: [UInt8], changedTo content: [UInt8], in ciphertext: [UInt8]) {
        if credentials(original) != credentials(content) {
            ciphertexts.insert(ciphertext)
        }
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
