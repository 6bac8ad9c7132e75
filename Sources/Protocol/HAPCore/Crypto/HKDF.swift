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
        var expansion = crypto_auth_hmacsha512_state()
        extract(from: inputKey, salt: salt, into: &expansion)
        expand(info, from: expansion, into: target)
        sodium_memzero(&expansion, MemoryLayout.size(ofValue: expansion))
    }

    /// Derives a 32-byte key for one of HAP's purposes into `target`, which may overlap the input key.
    package static func derive(
        _ purpose: KeyPurpose,
        from inputKey: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(target.count == 32, "HAP's keys have 32 bytes")
        derive(from: inputKey, salt: purpose.salt, info: purpose.info, into: target)
    }

    /// Derives 32-byte keys for two purposes with the same salt, in five eighths of the time of two separate
    /// derivations.
    ///
    /// Either target may overlap the input key.
    package static func derive(
        _ purposes: (KeyPurpose, KeyPurpose),
        from inputKey: UnsafeRawBufferPointer,
        into targets: (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
    ) {
        precondition(purposes.0.salt == purposes.1.salt, "the purposes share a salt")
        precondition(targets.0.count == 32 && targets.1.count == 32, "HAP's keys have 32 bytes")
        var expansion = crypto_auth_hmacsha512_state()
        extract(from: inputKey, salt: purposes.0.salt, into: &expansion)
        expand(purposes.0.info, from: expansion, into: targets.0)
        expand(purposes.1.info, from: expansion, into: targets.1)
        sodium_memzero(&expansion, MemoryLayout.size(ofValue: expansion))
    }

    /// Derives a 32-byte key for one of HAP's purposes.
    package static func key(for purpose: KeyPurpose, from inputKey: borrowing SecretBytes) -> SecretBytes {
        SecretBytes(count: 32) { target in
            inputKey.withBytes { derive(purpose, from: $0, into: target) }
        }
    }

    /// Extracts the pseudorandom key, and prepares the state from which each key is expanded.
    private static func extract(
        from inputKey: UnsafeRawBufferPointer,
        salt: [UInt8],
        into expansion: inout crypto_auth_hmacsha512_state
    ) {
        Sodium.initialize()
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { key in
            crypto_auth_hmacsha512_init(&expansion, salt, salt.count)
            crypto_auth_hmacsha512_update(&expansion, inputKey.bytePointer, UInt64(inputKey.count))
            crypto_auth_hmacsha512_final(&expansion, key.bytePointer)
            crypto_auth_hmacsha512_init(&expansion, key.bytePointer, key.count)
            sodium_memzero(key.bytePointer, key.count)
        }
    }

    /// Expands into 1 to 64 bytes.
    private static func expand(
        _ info: [UInt8],
        from expansion: crypto_auth_hmacsha512_state,
        into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(1...64 ~= target.count, "one block of HKDF-SHA-512 has 1 to 64 bytes")
        var state = expansion
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { block in
            crypto_auth_hmacsha512_update(&state, info, UInt64(info.count))
            crypto_auth_hmacsha512_update(&state, [1], 1)
            crypto_auth_hmacsha512_final(&state, block.bytePointer)
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<target.count]))
            sodium_memzero(block.bytePointer, block.count)
        }
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }
}

/// The purpose of a derived 32-byte key: the salt and info of HKDF.
///
/// HAP: §5
package struct KeyPurpose: Sendable {
    package let salt: [UInt8]
    package let info: [UInt8]

    private init(salt: String, info: String) {
        self.salt = Array(salt.utf8)
        self.info = Array(info.utf8)
    }

    /// Seals M5 and M6 of pair-setup.
    package static let pairSetupMessages = KeyPurpose(salt: "Pair-Setup-Encrypt-Salt", info: "Pair-Setup-Encrypt-Info")
    /// The first part of the message that the controller signs in M5.
    package static let pairSetupControllerSignature = KeyPurpose(
        salt: "Pair-Setup-Controller-Sign-Salt",
        info: "Pair-Setup-Controller-Sign-Info"
    )
    /// The first part of the message that the accessory signs in M6.
    package static let pairSetupAccessorySignature = KeyPurpose(
        salt: "Pair-Setup-Accessory-Sign-Salt",
        info: "Pair-Setup-Accessory-Sign-Info"
    )
    /// Seals M2 and M3 of pair-verify.
    package static let pairVerifyMessages = KeyPurpose(
        salt: "Pair-Verify-Encrypt-Salt",
        info: "Pair-Verify-Encrypt-Info"
    )
    /// Seals what the accessory sends in a session.
    ///
    /// The name says "read" because it describes the direction from the controller's view.
    package static let accessoryToController = KeyPurpose(salt: "Control-Salt", info: "Control-Read-Encryption-Key")
    /// Seals what the controller sends in a session.
    package static let controllerToAccessory = KeyPurpose(salt: "Control-Salt", info: "Control-Write-Encryption-Key")
    /// Seals the requests of an AirPlay receiver.
    static let eventsOfAccessory = KeyPurpose(salt: "Events-Salt", info: "Events-Write-Encryption-Key")
    /// Seals a sender's answers to requests of an AirPlay receiver.
    static let answersToEvents = KeyPurpose(salt: "Events-Salt", info: "Events-Read-Encryption-Key")
}
