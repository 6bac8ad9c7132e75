internal import Glibc
package import NIOCore

/// The host at the other end of a connection, as far as its address identifies a host.
///
/// A host may have any number of addresses in the /64 of its network, so the /64 counts as one host. All hosts of a
/// link share the prefix of link-local addresses, so for these the whole address is the host.
package enum PeerHost: Sendable, Hashable {
    case ipv4([UInt8])
    case ipv6Network([UInt8])
    case linkLocal([UInt8])
    /// A connection without an IP address.
    case unknown

    package init(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else {
            self = .unknown
            return
        }
        if let bytes = Self.parse(text, AF_INET, count: 4) {
            self = .ipv4(bytes)
        } else if let bytes = Self.parse(text, AF_INET6, count: 16) {
            self = Self.host(ipv6: bytes)
        } else {
            self = .unknown
        }
    }

    /// Whether the host is this machine.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let bytes): bytes.first == 127
        // The rest of ::/64 is not assigned.
        case .ipv6Network(let prefix): prefix.allSatisfy { $0 == 0 }
        case .linkLocal, .unknown: false
        }
    }

    private static func host(ipv6 bytes: [UInt8]) -> PeerHost {
        if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
            .ipv4(Array(bytes.suffix(4)))
        } else if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 {
            .linkLocal(bytes)
        } else {
            .ipv6Network(Array(bytes.prefix(8)))
        }
    }

    private static func parse(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}

extension SocketAddress {
    /// The address and port, such as `192.0.2.7:50112` or `[2001:db8::7]:50112`.
    ///
    /// IPv4 addresses on a dual-stack socket are written as IPv4.
    var hostAndPort: String {
        guard let ipAddress, let port else { return "unknown" }
        let mapped = "::ffff:"
        if ipAddress.lowercased().hasPrefix(mapped), ipAddress.contains(".") {
            return "\(ipAddress.dropFirst(mapped.count)):\(port)"
        }
        return ipAddress.contains(":") ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
    }
}
