import HAPCore

/// ChaCha20-Poly1305 and the keys for it, over arrays of bytes.
///
/// The client writes nonces and HKDF texts as literals, and shares no table of them with the product.
enum AEAD {
    private static let tagLength = 16

    /// Returns the ciphertext with its tag.
    static func seal(
        _ plaintext: [UInt8],
        authenticating associatedData: [UInt8] = [],
        nonce: UInt64,
        key: [UInt8]
    ) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagLength)
        plaintext.withUnsafeBytes { plaintext in
            associatedData.withUnsafeBytes { associatedData in
                key.withUnsafeBytes { key in
                    sealed.withUnsafeMutableBytes {
                        ChaChaPoly.seal(plaintext, authenticating: associatedData, nonce: nonce, key: key, into: $0)
                    }
                }
            }
        }
        return sealed
    }

    /// Returns the plaintext, or `nil` if the tag is wrong.
    static func open(
        _ sealed: [UInt8],
        authenticating associatedData: [UInt8] = [],
        nonce: UInt64,
        key: [UInt8]
    ) -> [UInt8]? {
        guard sealed.count >= tagLength else { return nil }
        var plaintext = [UInt8](repeating: 0, count: sealed.count - tagLength)
        let isOpened = sealed.withUnsafeBytes { sealed in
            associatedData.withUnsafeBytes { associatedData in
                key.withUnsafeBytes { key in
                    plaintext.withUnsafeMutableBytes {
                        ChaChaPoly.open(sealed, authenticating: associatedData, nonce: nonce, key: key, into: $0)
                    }
                }
            }
        }
        return isOpened ? plaintext : nil
    }

    /// Returns the nonce of a pairing message from its eight characters, with the first one in the lowest byte.
    static func nonce(_ text: String) -> UInt64 {
        text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Derives a key of 32 bytes with HKDF-SHA-512.
    static func key(from secret: [UInt8], salt: String, info: String) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 32)
        secret.withUnsafeBytes { secret in
            key.withUnsafeMutableBytes {
                HKDF.derive(from: secret, salt: Array(salt.utf8), info: Array(info.utf8), into: $0)
            }
        }
        return key
    }
}
