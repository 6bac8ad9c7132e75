/// Distinguishes the addresses of the public Internet from all others.
///
/// A URL that a stranger has chosen must not reach this machine, the local network, or what is reserved.
enum AddressGuard {
    /// The beginning of IPv4 addresses that are written as IPv6 addresses: `::ffff:0:0/96`.
    static let mappedIPv4: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The first bits of addresses.
    private struct Prefix: Sendable {
        let bytes: [UInt8]
        let bitCount: Int

        init(_ bytes: [UInt8], _ bitCount: Int) { (self.bytes, self.bitCount) = (bytes, bitCount) }

        func contains(_ address: [UInt8]) -> Bool {
            (0..<bitCount)
                .allSatisfy { bit in
                    let wanted = bit / 8 < bytes.count ? bytes[bit / 8] : 0
                    return (wanted ^ address[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
                }
        }
    }

    /// The [registry of special IPv4 addresses](https://www.iana.org/assignments/iana-ipv4-special-registry), and
    /// multicast.
    private static let reservedIPv4 = [
        // This host.
        Prefix([0], 8),
        Prefix([127], 8),
        // Private networks, and those between a provider and its customers.
        Prefix([10], 8),
        Prefix([100, 64], 10),
        Prefix([172, 16], 12),
        Prefix([192, 168], 16),
        // Link-local, such as the metadata services of clouds.
        Prefix([169, 254], 16),
        // Protocols, documentation, relays of 6to4, benchmarks.
        Prefix([192, 0, 0], 24),
        Prefix([192, 0, 2], 24),
        Prefix([192, 88, 99], 24),
        Prefix([198, 18], 15),
        Prefix([198, 51, 100], 24),
        Prefix([203, 0, 113], 24),
        // Multicast, reserved, broadcast.
        Prefix([224], 4),
        Prefix([240], 4),
    ]

    /// Only these IPv6 addresses are given to hosts of the Internet.
    private static let globalIPv6 = Prefix([0x20], 3)
    /// The [reserved](https://www.iana.org/assignments/iana-ipv6-special-registry) ones of them: protocols and
    /// documentation.
    private static let reservedIPv6 = [
        Prefix([0x20, 0x01, 0x00], 23), Prefix([0x20, 0x01, 0x0D, 0xB8], 32), Prefix([0x3F, 0xFF, 0x00], 20),
    ]
    private static let mapped = Prefix(mappedIPv4, 96)
    private static let nat64 = Prefix([0x00, 0x64, 0xFF, 0x9B], 96)
    private static let sixToFour = Prefix([0x20, 0x02], 16)
    private static let teredo = Prefix([0x20, 0x01, 0x00, 0x00], 32)

    /// Returns whether an address is one of the public Internet; an IPv6 address that contains IPv4 addresses is public
    /// if those are.
    ///
    /// - Parameter address: 4 bytes of IPv4, or 16 of IPv6; `false` for any other number.
    static func isPublic(_ address: [UInt8]) -> Bool {
        if address.count == 4 { return !reservedIPv4.contains { $0.contains(address) } }
        guard address.count == 16 else { return false }
        if mapped.contains(address) || nat64.contains(address) { return isPublic(Array(address[12...])) }
        if sixToFour.contains(address) { return isPublic(Array(address[2..<6])) }
        // The address of the server, and the inverted one of the client.
        if teredo.contains(address) {
            return isPublic(Array(address[4..<8])) && isPublic(address[12...].map { ~$0 })
        }
        return globalIPv6.contains(address) && !reservedIPv6.contains { $0.contains(address) }
    }
}
