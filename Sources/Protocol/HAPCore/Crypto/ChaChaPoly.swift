internal import CSodium

/// ChaCha20-Poly1305 with a 12-byte nonce whose first four bytes are zero.
///
/// HAP: §5, §8; [RFC 8439](https://www.rfc-editor.org/rfc/rfc8439#section-2.8).
package enum ChaChaPoly {
    package static let tagLength = 16

    /// Seals `plaintext` into `target`, which has room for the plaintext and the tag.
    package static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        authenticating associatedData: UnsafeRawBufferPointer,
        nonce: UInt64,
        key: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(key.count == 32, "a ChaCha20-Poly1305 key has 32 bytes")
        precondition(target.count == plaintext.count + tagLength, "sealing adds 16 bytes")
        var nonce = Nonce(nonce)
        _ = withUnsafeBytes(of: &nonce) { nonce in
            crypto_aead_chacha20poly1305_ietf_encrypt(
                target.bytePointer,
                nil,
                plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt64(plaintext.count),
                associatedData.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt64(associatedData.count),
                nil,
                nonce.bytePointer,
                key.bytePointer
            )
        }
    }

    /// Decrypts `ciphertext`, including the tag, into `target`, which has room for everything but the tag.
    ///
    /// Returns `false` if the tag is wrong; `target` then contains nothing useful.
    package static func open(
        _ ciphertext: UnsafeRawBufferPointer,
        authenticating associatedData: UnsafeRawBufferPointer,
        nonce: UInt64,
        key: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(key.count == 32, "a ChaCha20-Poly1305 key has 32 bytes")
        guard ciphertext.count >= tagLength else { return false }
        precondition(target.count == ciphertext.count - tagLength, "opening takes 16 bytes off")
        var nonce = Nonce(nonce)
        return withUnsafeBytes(of: &nonce) { nonce in
            crypto_aead_chacha20poly1305_ietf_decrypt(
                target.baseAddress?.assumingMemoryBound(to: UInt8.self),
                nil,
                nil,
                ciphertext.bytePointer,
                UInt64(ciphertext.count),
                associatedData.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt64(associatedData.count),
                nonce.bytePointer,
                key.bytePointer
            ) == 0
        }
    }

    /// Encrypts a pairing message, whose nonce is an eight-character label, without associated data.
    package static func seal(_ plaintext: [UInt8], label: PairingLabel, key: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: plaintext.count + tagLength) { target, count in
            plaintext.withUnsafeBytes { plaintext in
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(target)[..<(plaintext.count + tagLength)]
                )
                seal(plaintext, authenticating: .init(start: nil, count: 0), nonce: label.nonce, key: key, into: room)
                count = room.count
            }
        }
    }

    /// Opens a pairing message; `nil` when it is too short or its tag is wrong.
    package static func open(_ ciphertext: [UInt8], label: PairingLabel, key: UnsafeRawBufferPointer) -> [UInt8]? {
        guard ciphertext.count >= tagLength else { return nil }
        var isOpened = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: ciphertext.count - tagLength) { target, count in
            ciphertext.withUnsafeBytes { ciphertext in
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(target)[..<(ciphertext.count - tagLength)]
                )
                isOpened = open(
                    ciphertext,
                    authenticating: .init(start: nil, count: 0),
                    nonce: label.nonce,
                    key: key,
                    into: room
                )
                count = isOpened ? room.count : 0
            }
        }
        return isOpened ? plaintext : nil
    }

    /// Four zero bytes and a 64-bit little-endian number, in wire format.
    private struct Nonce {
        var zeros: UInt32 = 0
        var low: UInt32
        var high: UInt32

        init(_ number: UInt64) {
            low = UInt32(truncatingIfNeeded: number).littleEndian
            high = UInt32(truncatingIfNeeded: number >> 32).littleEndian
        }
    }
}

/// The nonce of an encrypted pairing message, named after the message.
///
/// HAP: §5
package enum PairingLabel: String, Sendable {
    case setupM5 = "PS-Msg05"
    case setupM6 = "PS-Msg06"
    case verifyM2 = "PV-Msg02"
    case verifyM3 = "PV-Msg03"

    /// The eight characters as a little-endian number.
    package var nonce: UInt64 {
        rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
