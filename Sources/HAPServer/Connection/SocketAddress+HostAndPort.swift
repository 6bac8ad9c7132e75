internal import NIOCore

extension SocketAddress {
    /// `192.0.2.7:50112`, or `[2001:db8::7]:50112`; what came by IPv4 to a socket for both stands as IPv4.
    var hostAndPort: String {
        guard let ipAddress, let port else { return "unknown" }
        let mapped = "::ffff:"
        if ipAddress.lowercased().hasPrefix(mapped), ipAddress.contains(".") {
            return "\(ipAddress.dropFirst(mapped.count)):\(port)"
        }
        return ipAddress.contains(":") ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
    }
}
