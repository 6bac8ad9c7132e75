internal import CSodium

/// HKDF with SHA-512 and a single block of output, as HAP uses it throughout.
///
/// HAP: §5; [RFC 5869](https://www.rfc-editor.org/rfc/rfc5869#section-2).
package enum HKDF {
    /// Derives 1 to 64 bytes into `target`.
    package static func derive(
        from inputKey: UnsafeRawBufferPointer,
        salt: [UInt8],
        info: [UInt8],
        into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(1...64 ~= target.count, "one block of HKDF-SHA-512 has 1 to 64 bytes")
        Sodium.initialize()
        var state = crypto_auth_hmacsha512_state()
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { block in
            let block = block.bindMemory(to: UInt8.self)
            guard let base = block.baseAddress else { preconditionFailure("the block has 64 bytes") }
            crypto_auth_hmacsha512_init(&state, salt, salt.count)
            crypto_auth_hmacsha512_update(&state, inputKey.octets, UInt64(inputKey.count))
            crypto_auth_hmacsha512_final(&state, base)

            crypto_auth_hmacsha512_init(&state, base, block.count)
            crypto_auth_hmacsha512_update(&state, info, UInt64(info.count))
            crypto_auth_hmacsha512_update(&state, [1], 1)
            crypto_auth_hmacsha512_final(&state, base)

            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[..<target.count]))
            sodium_memzero(base, block.count)
        }
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }

    /// Derives a 32-byte key for one of HAP's purposes into `target`, which may be where the input key lies.
    package static func derive(
        _ purpose: KeyPurpose,
        from inputKey: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(target.count == 32, "HAP's keys have 32 bytes")
        derive(from: inputKey, salt: purpose.salt, info: purpose.info, into: target)
    }

    /// Derives a 32-byte key for one of HAP's purposes.
    package static func key(for purpose: KeyPurpose, from inputKey: borrowing SecretBytes) -> SecretBytes {
        SecretBytes(count: 32) { target in
            inputKey.withBytes { derive(purpose, from: $0, into: target) }
        }
    }
}
