internal import CCrypto

/// The hash of HTTP Digest, with which senders of AirPlay 1 prove a password; unfit for anything new.
package enum MD5 {
    /// Returns the hash of a string in 32 lowercase hexadecimal digits; `nil` if libcrypto refuses to compute it.
    package static func hexadecimal(_ text: String) -> String? {
        guard Libcrypto.load() else { return nil }
        var digest = [UInt8](repeating: 0, count: 16)
        let bytes = Array(text.utf8)
        guard hap_MD5(bytes, bytes.count, &digest) != nil else { return nil }
        return digest.map(\.paddedHexadecimal).joined()
    }
}
