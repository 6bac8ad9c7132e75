public import HAPCore

/// An accessory server as it announces itself in this network.
///
/// What it says of itself is a stranger's text: nothing of it is certain before pair-verify.
///
/// HAP: §2
public struct DiscoveredAccessory: Sendable, Hashable {
    /// The name under which it appears: at most 255 bytes of any characters.
    public var name: String
    /// The machine's name, such as `garage.local`.
    public var host: String
    /// Its addresses as text, those first that are likely to work; link-local ones of IPv6 with their zone, such as
    /// `fe80::1%2`.
    public var addresses: [String]
    /// Its TCP port.
    public var port: UInt16
    /// What it says of itself as it stands, by key in small letters; a key without a value has an empty one.
    public var text: [String: String]

    /// Creates one.
    public init(name: String, host: String, addresses: [String], port: UInt16, text: [String: String]) {
        self.name = name
        self.host = host
        self.addresses = addresses
        self.port = port
        self.text = text
    }
}

extension DiscoveredAccessory {
    /// `id`: who it is; `nil` when it is missing or not a device ID.
    public var deviceID: DeviceID? { text["id"].flatMap { DeviceID($0) } }

    /// `c#`: counts the changes of its structure, 1 to 65535, in older accessories more; `nil` when missing or odd.
    public var configurationNumber: UInt32? { number("c#") }

    /// `ff`: what pairing asks for beyond a code; `nil` when missing or odd.
    public var featureFlags: UInt8? { number("ff") }

    /// `md`: its model; `nil` when missing.
    public var model: String? { text["md"] }

    /// `pv`: the protocol's version; `nil` when missing, which means 1.0.
    public var protocolVersion: String? { text["pv"] }

    /// `s#`: 1 over IP; `nil` when missing or odd.
    public var stateNumber: UInt32? { number("s#") }

    /// `sf`: 1 not paired, 2 not in a Wi-Fi network yet, 4 has a problem, added up; `nil` when missing or odd.
    public var statusFlags: UInt8? { number("sf") }

    /// `sh`: four bytes by which the owner of a setup code recognizes it, in Base64; `nil` when missing.
    public var setupHash: String? { text["sh"] }

    /// `ci`: what kind of thing it is; `nil` when missing or odd.
    public var category: AccessoryCategory? { (number("ci") as UInt8?).flatMap { AccessoryCategory($0) } }

    /// Whether it is paired with somebody; `nil` when it does not say so.
    public var isPaired: Bool? { statusFlags.map { $0 & 1 == 0 } }

    private func number<Number: FixedWidthInteger>(_ key: String) -> Number? {
        // `Number` would take a sign, too.
        text[key].flatMap { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Number($0) : nil }
    }
}

extension DiscoveredAccessory {
    /// What is said of one accessory wherever it was seen: the last answer counts, and the addresses of all of them.
    ///
    /// `nil` when nothing is said.
    init?(_ responses: [(place: ServiceInstance, found: ResolvedService)]) {
        guard let last = responses.last?.found else { return nil }
        var addresses: [NetworkAddress] = []
        for (place, found) in responses {
            let address = NetworkAddress(found.address, interface: place.interface)
            if let address, !addresses.contains(address), addresses.count < Self.maximumAddresses {
                addresses.append(address)
            }
        }
        self.init(
            name: last.name,
            host: last.host,
            addresses: addresses.sorted().map(\.text),
            port: last.port,
            record: last.text
        )
    }

    /// Takes what a record says.
    package init(name: String, host: String, addresses: [String], port: UInt16, record: TXTRecord) {
        self.init(
            name: name,
            host: host,
            addresses: addresses,
            port: port,
            text: Dictionary(
                record.items.map { ($0.key.lowercased(), String(decoding: $0.value ?? [], as: UTF8.self)) },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }

    /// How many addresses of one accessory are kept.
    static let maximumAddresses = 32
}

/// An address at which a service was found, with what makes it better or worse than another one.
struct NetworkAddress: Sendable, Hashable {
    /// From what is most likely to work to what is least.
    private enum Rank: Int {
        case linkLocalIPv6, version6, loopback, linkLocalVersion6, linkLocalVersion4
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
                address.hasPrefix("127.")
                ? .loopback : address.hasPrefix("169.254.") ? .linkLocalVersion4 : .linkLocalIPv6
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
