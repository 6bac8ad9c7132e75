/// A possible address of an accessory server.
package struct AccessoryEndpoint: Sendable, Hashable {
    /// A host name or an IP address.
    package var host: String
    /// The TCP port.
    package var port: UInt16
    /// The configuration number that is announced for it; `nil` if there is none.
    package var configurationNumber: UInt64?
    /// The name that is announced for it; `nil` if there is none.
    package var name: String?

    package init(host: String, port: UInt16, configurationNumber: UInt64? = nil, name: String? = nil) {
        self.host = host
        self.port = port
        self.configurationNumber = configurationNumber
        self.name = name
    }

    /// Whether the address is valid only on one link or interface, so that it may become invalid.
    var isLinkLocal: Bool {
        let address = host.lowercased()
        return address.contains("%") || address.hasPrefix("169.254.")
            || address.contains(":") && ["fe8", "fe9", "fea", "feb"].contains(address.prefix(3))
    }

    /// Returns whether both have the same host and port.
    func hasSameAddress(as other: AccessoryEndpoint) -> Bool {
        host == other.host && port == other.port
    }
}

extension AccessoryEndpoint {
    /// The value of the header `Host`: the host without the zone of an IPv6 address, which has no meaning on another
    /// machine, and without the port, as iOS sends it: some accessories answer 400 if there is one.
    ///
    /// [RFC 6874 §1](https://www.rfc-editor.org/rfc/rfc6874)
    var hostHeader: String {
        let address = host.prefix { $0 != "%" }
        return address.contains(":") ? "[\(address)]" : String(address)
    }
}

extension AccessoryEndpoint {
    /// Reads `HOST:PORT`, or `[ADDRESS]:PORT` for IPv6, or returns `nil` for anything else.
    package init?(argument text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "\0" }) else { return nil }
        self.init(host: String(host), port: port)
    }
}

extension AccessoryEndpoint: CustomStringConvertible {
    /// `host:port`, an IPv6 address in brackets.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
