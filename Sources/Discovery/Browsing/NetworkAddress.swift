/// An address at which a service was found, with what makes it better or worse than another one.
struct NetworkAddress: Sendable, Hashable {
    /// From what is most likely to work to what is least.
    private enum Rank: Int {
        case version4, version6, loopback, linkLocalVersion6, linkLocalVersion4
    }

    /// The address as the system takes it: a link-local one of IPv6 with the number of its interface as its zone.
    let text: String
    private let rank: Rank

    /// Reads what Avahi wrote; `nil` for the addresses that are none.
    init?(_ address: String, interface: Int32) {
        guard !address.isEmpty, !["0.0.0.0", "::"].contains(address) else { return nil }
        guard address.contains(":") else {
            text = address
            rank =
                address.hasPrefix("127.") ? .loopback : address.hasPrefix("169.254.") ? .linkLocalVersion4 : .version4
            return
        }
        // fe80::/10, as Avahi writes it: four digits without zeros before them.
        let head = address.split(separator: ":", maxSplits: 1).first.flatMap { UInt16($0, radix: 16) } ?? 0
        if head & 0xFFC0 == 0xFE80 {
            guard interface >= 0 else { return nil }
            text = "\(address)%\(interface)"
            rank = .linkLocalVersion6
        } else {
            text = address
            rank = address == "::1" ? .loopback : .version6
        }
    }
}

extension NetworkAddress: Comparable {
    static func < (lhs: NetworkAddress, rhs: NetworkAddress) -> Bool {
        (lhs.rank.rawValue, lhs.text) < (rhs.rank.rawValue, rhs.text)
    }
}
