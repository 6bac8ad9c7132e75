package import Discovery

/// A receiver on the network.
public struct CastDevice: Sendable, Hashable {
    /// What a receiver can do.
    public struct Capabilities: OptionSet, Sendable, Hashable {
        /// The sum of the bits of the announcement.
        public let rawValue: Int

        /// Creates a set from the bits of an announcement.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// It shows pictures.
        public static let videoOut = Capabilities(rawValue: 1)
        /// It has a camera.
        public static let videoIn = Capabilities(rawValue: 2)
        /// It plays sound.
        public static let audioOut = Capabilities(rawValue: 4)
        /// It has a microphone.
        public static let audioIn = Capabilities(rawValue: 8)
        /// It stands for several receivers that play the same.
        public static let group = Capabilities(rawValue: 32)
    }

    /// A UUID as hexadecimal digits; empty if it is unknown.
    public var id: String
    /// The name that its owner has given it.
    public var name: String
    /// Such as `Chromecast Ultra`; empty if it is unknown.
    public var model: String
    /// What it can do; empty if that is unknown.
    public var capabilities: Capabilities
    /// Whether an app runs.
    public var isInUse: Bool
    /// What the app does, such as `Casting: The Film`.
    public var statusText: String
    /// Host names or IP addresses, those most likely to work first.
    public var hosts: [String]
    /// The TCP port; 8009 by custom, and another one for a group.
    public var port: UInt16

    /// Creates a receiver of which only the address is known.
    public init(host: String, port: UInt16 = 8_009, name: String? = nil) {
        (id, self.name, model, statusText) = ("", name ?? "\(host):\(port)", "", "")
        (capabilities, isInUse, hosts, self.port) = ([], false, [host], port)
    }

    /// Creates a receiver from its announcement; `nil` without an address.
    package init?(_ announcement: DiscoveredAccessory) {
        guard !announcement.addresses.isEmpty else { return nil }
        let text = announcement.text
        id = text["id"] ?? ""
        name = text["fn"].flatMap { $0.isEmpty ? nil : $0 } ?? announcement.name
        model = text["md"] ?? ""
        capabilities = Capabilities(rawValue: text["ca"].flatMap { Int($0) } ?? 0)
        isInUse = text["st"] == "1"
        statusText = text["rs"] ?? ""
        (hosts, port) = (announcement.addresses, announcement.port)
    }
}
