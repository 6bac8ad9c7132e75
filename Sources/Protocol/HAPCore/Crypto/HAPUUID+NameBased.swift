internal import CCrypto

extension HAPUUID {
    /// Creates the UUID of a name in a namespace.
    ///
    /// The same name always has the same UUID, in every process.
    ///
    /// Version 5 of [RFC 9562](https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-5).
    package init(name: String, in namespace: HAPUUID) {
        var bytes = [namespace.high, namespace.low]
            .flatMap { half in
                (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
            }
        bytes += name.utf8
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        _ = hap_SHA1(bytes, bytes.count, &digest)
        // The version is at the start of the third group, and the variant at the start of the fourth.
        self.init(
            high: digest[0..<8].bigEndian & ~0xF000 | 0x5000,
            low: digest[8..<16].bigEndian & ~(0b11 << 62) | 0b10 << 62
        )
    }
}
