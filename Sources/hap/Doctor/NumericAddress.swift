import Glibc

/// Addresses as text.
enum NumericAddress {
    /// The text of an IPv4 or IPv6 address, with its zone only on request; `nil` for other kinds.
    static func text(of address: UnsafePointer<sockaddr>, withZone: Bool = false) -> String? {
        let size: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return withZone ? text : withoutZone(text)
    }

    /// The text of an address without the zone that may follow it.
    static func withoutZone(_ text: String) -> String {
        String(text.prefix { $0 != "%" })
    }
}
