/// How a server stands in the world as long as nobody says otherwise.
public struct ServerConditions: Sendable, Hashable {
    /// Whether it can be reached.
    public var reachability: Reachability
    /// Whether it is announced.
    public var isAnnounced: Bool
    /// What its announcement says that does not hold.
    public var overrides: AnnouncementOverrides
    /// When events leave.
    public var eventTiming: EventTiming

    /// How much of the server is there.
    public enum Reachability: Sendable, Hashable {
        /// It listens.
        case reachable
        /// The network is gone: connections are reset, and new ones are refused.
        case refusing
        /// The network swallows everything. When it is back, all connections are reset.
        case unresponsive
        /// It has closed its connections and withdrawn its announcement. When it is back, its configuration number is one
        /// higher.
        case rebooting
    }

    /// When the changes of a connection's characteristics are told.
    public enum EventTiming: Sendable, Hashable {
        /// At once, then once a second at most.
        ///
        /// HAP: §14
        case rateLimited
        /// When so much time has passed since the first one.
        case batched(Duration)
        /// At once, in a message each.
        case immediate
    }

    /// Creates conditions; without arguments everything is as it should be.
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

/// What an announcement says in place of what holds; `nil` for what it says rightly.
public struct AnnouncementOverrides: Sendable, Hashable {
    /// `c#`, also what HAP does not allow.
    public var configurationNumber: UInt16?
    /// `sf`.
    public var statusFlags: UInt8?
    /// The TCP port.
    public var port: UInt16?

    /// Creates an alteration; without arguments nothing is altered.
    public init(configurationNumber: UInt16? = nil, statusFlags: UInt8? = nil, port: UInt16? = nil) {
        self.configurationNumber = configurationNumber
        self.statusFlags = statusFlags
        self.port = port
    }
}
