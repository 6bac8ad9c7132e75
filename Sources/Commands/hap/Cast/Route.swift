import CastSender
import Discovery
import Documents
import HAPCore
import Hosting
import Resources

/// A receiver of media on the network, as `hap routes` prints it.
struct Route: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable {
        case cast
        case airplay

        /// The type of the announced service.
        var service: String {
            switch self {
            case .cast: "_googlecast._tcp"
            case .airplay: "_airplay._tcp"
            }
        }
    }

    var kind: Kind
    var name: String
    var model: String
    var address: String
    /// What it can do, of ``abilities``.
    var abilities: [String]
    var isInUse: Bool
    /// What it does, in the words of its app.
    var status: String
    /// What a sender needs, of ``requirements``.
    var requires: [String]

    static let abilities = ["audio", "video", "screen", "group"]
    static let requirements = ["pin", "password", "home"]

    static let format = Format<Route>(
        response: "Route",
        .written("kind", \.kind.rawValue, .word(Kind.allCases.map(\.rawValue)), "The protocol."),
        .written("name", \.name, .string, "The name."),
        .written("model", \.model, .string, "The model."),
        .written("address", \.address, .string, "The address and port."),
        .written("abilities", \.abilities, .list(of: .word(abilities)), "What it can play."),
        .written("inUse", \.isInUse, .boolean, "Whether it is in use."),
        .written("status", \.status, .string, "What it does, in the words of its app."),
        .written("requires", \.requires, .list(of: .word(requirements)), "What a sender needs.")
    )

    static let list = Format<RouteList>(
        response: "Routes",
        .written("routes", \.routes, .list(of: Route.format), "The receivers, by name.")
    )

    /// Creates a route from an announcement; `nil` without an address.
    init?(_ kind: Kind, _ found: DiscoveredAccessory) {
        guard let host = found.addresses.first else { return nil }
        self.kind = kind
        address = host.contains(":") ? "[\(host)]:\(found.port)" : "\(host):\(found.port)"
        model = found.text["md"] ?? found.text["model"] ?? ""
        (abilities, requires) = ([], [])
        switch kind {
        case .cast:
            guard let device = CastDevice(found) else { return nil }
            (name, isInUse, status) = (device.name, device.isInUse, device.statusText)
            if device.capabilities.contains(.audioOut) { abilities.append("audio") }
            if device.capabilities.contains(.videoOut) { abilities.append("video") }
            if device.capabilities.contains(.group) { abilities.append("group") }
        case .airplay:
            (name, status) = (found.name, "")
            let features = Self.features(found.text["features"] ?? found.text["ft"] ?? "")
            // Bits of features and of flags: Protocol notes of AirPlay, §3.1.
            if features & 1 << 9 != 0 { abilities.append("audio") }
            if features & (1 | 1 << 4 | 1 << 49) != 0 { abilities.append("video") }
            if features & 1 << 7 != 0 { abilities.append("screen") }
            let flags = Self.number(found.text["flags"] ?? found.text["sf"] ?? "") ?? 0
            isInUse = flags & 0x20000 != 0
            if flags & 0x208 != 0 { requires.append("pin") }
            if flags & 0x80 != 0 || found.text["pw"] == "true" { requires.append("password") }
            if flags & 0x400 != 0 { requires.append("home") }
        }
    }

    /// Reads `0xLOW,0xHIGH`.
    private static func features(_ text: String) -> UInt64 {
        let parts = text.split(separator: ",").map { number(String($0)) ?? 0 }
        return (parts.first ?? 0) | (parts.count > 1 ? parts[1] << 32 : 0)
    }

    private static func number(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }

    var row: [String] {
        [
            name.printable, kind.rawValue, abilities.joined(separator: ", "), isInUse ? "in use" : "free", address,
            model.printable, (requires + [status].filter { !$0.isEmpty }).joined(separator: ", ").printable,
        ]
    }
}

/// The receivers of media on the network.
struct RouteList: Sendable {
    var routes: [Route]

    var text: String {
        guard !routes.isEmpty else { return "No AirPlay or Cast receiver announces itself on this network.\n" }
        return TextTable.text([["Name", "Kind", "Plays", "State", "Address", "Model", "Notes"]] + routes.map(\.row))
    }
}

/// A change of a receiver, as `hap routes --watch` prints it.
struct RouteEvent: Sendable {
    var event: String
    var route: Route

    static let format = Format<RouteEvent>(
        response: "RouteEvent",
        .written("event", \.event, .word(["appeared", "changed", "disappeared"]), "What changed."),
        .written("route", \.route, Route.format, "The receiver.")
    )
}
