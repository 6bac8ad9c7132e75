/// The lasting conditions of a server under fault injection.
public struct ServerConditions: Sendable, Hashable {
    /// The reachability of the server.
    public var reachability: Reachability
    /// Whether the server is announced.
    public var isAnnounced: Bool
    /// The wrong values in the server's announcement.
    public var overrides: AnnouncementOverrides
    /// The timing of events.
    public var eventTiming: EventTiming

    /// The ways in which a server can be reachable or unreachable.
    public enum Reachability: Sendable, Hashable {
        /// The server accepts connections.
        case reachable
        /// The network is lost: connections are reset, and new ones are refused.
        case refusing
        /// The network drops all packets.
        ///
        /// When the network is back, all connections are reset.
        case unresponsive
        /// The server has closed its connections and withdrawn its announcement.
        ///
        /// When the server is back, its configuration number is one higher.
        case rebooting
    }

    /// The times at which a connection is notified of changes.
    public enum EventTiming: Sendable, Hashable {
        /// At once, and then at most once per second.
        ///
        /// HAP: §14
        case rateLimited
        /// After this duration, counted from the first change.
        case batched(Duration)
        /// At once, each event in its own message.
        case immediate
    }

    /// Creates conditions; the defaults describe a server without faults.
    public init(
        presence: Reachability = .reachable,
        isAnnounced: Bool = true,
        alteration: AnnouncementOverrides = AnnouncementOverrides(),
        eventTiming: EventTiming = .rateLimited
    ) {
        self.reachability = presence
        self.isAnnounced = isAnnounced
        self.overrides = alteration
        self.eventTiming = eventTiming
    }
}

/// The values that replace the correct ones in an announcement; `nil` means the correct value.
public struct AnnouncementOverrides: Sendable, Hashable {
    /// The `c#` number, which may be invalid in HAP.
    public var configurationNumber: UInt16?
    /// The status flags, `sf`.
    public var statusFlags: UInt8?
    /// The TCP port.
    public var port: UInt16?

    /// Creates overrides; by default, no value is replaced.
    public init(configurationNumber: UInt16? = nil, statusFlags: UInt8? = nil, port: UInt16? = nil) {
        self.configurationNumber = configurationNumber
        self.statusFlags = statusFlags
        self.port = port
    }
}
