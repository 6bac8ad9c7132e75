internal import CSodium

/// Comparison whose duration does not depend on the bytes.
package enum ConstantTime {
    /// Whether two byte strings are equal.
    ///
    /// Their lengths are not secret.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        guard !left.isEmpty else { return true }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                sodium_memcmp(left.octets, right.octets, left.count) == 0
            }
        }
    }
}
