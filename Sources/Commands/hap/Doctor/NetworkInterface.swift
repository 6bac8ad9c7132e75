import Glibc

/// A network interface that is up, with its addresses.
struct NetworkInterface: Sendable, Hashable {
    var name: String
    var isLoopback: Bool
    var canMulticast: Bool
    var addresses: [String]

    /// Whether all addresses are link-local.
    ///
    /// Controllers ignore such addresses.
    var isLinkLocal: Bool {
        addresses.allSatisfy { $0.hasPrefix("169.254.") || $0.lowercased().hasPrefix("fe80:") }
    }

    /// Returns the interfaces of this machine that are up and have an address.
    static func all() -> [NetworkInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var interfaces: [NetworkInterface] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard entry.ifa_flags & UInt32(IFF_UP) != 0, let name = entry.ifa_name,
                let address = entry.ifa_addr.flatMap({ NumericAddress.text(of: $0) })
            else { continue }
            let text = String(cString: name)
            if let index = interfaces.firstIndex(where: { $0.name == text }) {
                interfaces[index].addresses.append(address)
            } else {
                interfaces.append(
                    NetworkInterface(
                        name: text,
                        isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0,
                        canMulticast: entry.ifa_flags & UInt32(IFF_MULTICAST) != 0,
                        addresses: [address]
                    )
                )
            }
        }
        return interfaces
    }

    /// Checks whether controllers can find accessories on a machine with these interfaces.
    static func results(_ interfaces: [NetworkInterface]) -> [CheckResult] {
        let subject = CheckSubject("Network")
        let outer = interfaces.filter { !$0.isLoopback }
        guard !outer.isEmpty else {
            return [
                subject.note(
                    "Only the loopback interface has an address: no other machine can reach an accessory here.",
                    remedy:
                        "Connect to a network; start a container with the host's network (docker run --network host)."
                )
            ]
        }
        var diagnostics = outer.map { interface in
            let name = "\(interface.name) (\(interface.addresses.joined(separator: ", ")))"
            if !interface.canMulticast {
                return subject.note("\(name) does not support multicast: no controller finds an accessory through it.")
            }
            if interface.isLinkLocal {
                return subject.note(
                    "\(name) has only link-local addresses, which controllers ignore.",
                    remedy: "Check that the network's DHCP server answers."
                )
            }
            return subject.ok("\(name) supports multicast.")
        }
        if !outer.contains(where: { $0.canMulticast && !$0.isLinkLocal }) {
            diagnostics += subject.problem(
                "No interface has an address and multicast, so no controller finds an accessory here.",
                remedy: "Connect to the controllers' network by cable or Wi-Fi, not through a tunnel."
            )
        }
        if !outer.contains(where: { $0.addresses.contains { $0.contains(":") } }) {
            diagnostics += subject.note("There is no IPv6 address; controllers use IPv4, which is enough.")
        }
        return diagnostics
    }
}

/// Conversions of addresses to text.
enum NumericAddress {
    /// Returns the text of an IPv4 or IPv6 address, optionally with its zone, or `nil` for other kinds of addresses.
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

    /// Returns the text of an address without its zone.
    static func withoutZone(_ text: String) -> String {
        String(text.prefix { $0 != "%" })
    }
}
