internal import Glibc

/// The address of a host, without a port and a zone.
package struct IPAddress: Sendable, Hashable {
    /// 4 bytes of IPv4, or 16 of IPv6, the most significant one first.
    package let bytes: [UInt8]

    /// Creates an address; one of IPv4 that is written as one of IPv6 (`::ffff:a.b.c.d`) becomes one of IPv4.
    ///
    /// - Precondition: There are 4 or 16 bytes.
    package init(_ bytes: [UInt8]) {
        precondition([4, 16].contains(bytes.count), "an IP address has 4 or 16 bytes")
        self.bytes = bytes.starts(with: AddressGuard.mappedIPv4) ? Array(bytes[12...]) : bytes
    }

    /// Reads an address in any form that the C library accepts, such as `127.1`, `0x7f000001` or `::1`.
    ///
    /// Returns `nil` for anything else, such as a host name or an address with a zone.
    package init?(_ text: String) {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET6, text, &sixteen) == 1 {
            self.init(withUnsafeBytes(of: sixteen) { Array($0) })
        } else if inet_aton(text, &four) != 0 {
            self.init(withUnsafeBytes(of: four) { Array($0) })
        } else {
            return nil
        }
    }

    /// The usual form of IPv4, or the eight groups of IPv6.
    package var text: String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }
}
