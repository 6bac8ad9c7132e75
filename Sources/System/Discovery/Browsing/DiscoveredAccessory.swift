public import HAPCore

/// An accessory server as it announces itself on this network.
///
/// Nothing in an announcement is authenticated before pair-verify.
///
/// HAP: §2
public struct DiscoveredAccessory: Sendable, Hashable {
    /// The name under which it appears: at most 255 bytes of any characters.
    public var name: String
    /// The host name, such as `garage.local`.
    public var host: String
    /// Its addresses as text, those most likely to work first; link-local IPv6 addresses have their zone, such as
    /// `fe80::1%2`.
    public var addresses: [String]
    /// Its TCP port.
    public var port: UInt16
    /// The TXT record: its keys in lower case, its values unchanged; a key without a value has an empty value.
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
    /// `id`: the device ID; `nil` if missing or invalid.
    public var deviceID: DeviceID? { text["id"].flatMap { DeviceID($0) } }

    /// `c#`: the configuration number, from 1 to 65535, or larger in older accessories; `nil` if missing or invalid.
    public var configurationNumber: UInt32? { number("c#") }

    /// `ff`: the feature flags, which list additional requirements for pairing; `nil` if missing or invalid.
    public var featureFlags: UInt8? { number("ff") }

    /// `md`: the model; `nil` if missing.
    public var model: String? { text["md"] }

    /// `pv`: the version of the protocol; `nil` if missing, which means 1.0.
    public var protocolVersion: String? { text["pv"] }

    /// `s#`: the state number, which is 1 over IP; `nil` if missing or invalid.
    public var stateNumber: UInt32? { number("s#") }

    /// `sf`: the status flags, a sum of 1 (not paired), 2 (not in a Wi-Fi network yet) and 4 (has a problem); `nil` if
    /// missing or invalid.
    public var statusFlags: UInt8? { number("sf") }

    /// `sh`: the setup hash in Base64, four bytes by which a controller with the setup payload recognizes the
    /// accessory; `nil` if missing.
    public var setupHash: String? { text["sh"] }

    /// `ci`: the category; `nil` if missing or invalid.
    public var category: AccessoryCategory? { (number("ci") as UInt8?).flatMap { AccessoryCategory($0) } }

    /// Whether the accessory is paired; `nil` if it does not announce that.
    public var isPaired: Bool? { statusFlags.map { $0 & 1 == 0 } }

    private func number<Number: FixedWidthInteger>(_ key: String) -> Number? {
        // `Number` would also accept a sign.
        text[key].flatMap { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Number($0) : nil }
    }
}

extension DiscoveredAccessory {
    /// Combines the results for one accessory: takes the record of the last one and the addresses of all.
    ///
    /// Returns `nil` if there are no results.
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

    /// Creates an accessory from a record.
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

    /// The maximum number of addresses of one accessory.
    static let maximumAddresses = 32
}

/// An address of a service, with the properties that rank it.
struct NetworkAddress: Sendable, Hashable {
    /// The ranks, from the most to the least likely to work.
    private enum Rank: Int {
        case version4, version6, loopback, linkLocalVersion6, linkLocalVersion4
    }

    /// The address in the form that the system accepts; a link-local IPv6 address has the number of its interface as
    /// zone.
    let text: String
    private let rank: Rank

    /// Parses an address from Avahi; returns `nil` if the address is not usable.
    init?(_ address: String, interface: Int32) {
        guard !address.isEmpty, !["0.0.0.0", "::"].contains(address) else { return nil }
        guard address.contains(":") else {
            text = address
            rank =
                address.hasPrefix("127.")
                ? .loopback : address.hasPrefix("169.254.") ? .linkLocalVersion4 : .version4
            return
        }
        // The prefix fe80::/10. Avahi writes its first group with four digits.
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
