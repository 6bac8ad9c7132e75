/// Lasting conditions of a server under fault injection.
public struct ServerConditions: Sendable, Hashable {
    /// Whether it can be reached.
    public var reachability: Reachability
    /// Whether it is announced.
    public var isAnnounced: Bool
    /// The wrong values of its announcement.
    public var overrides: AnnouncementOverrides
    /// The times of events.
    public var eventTiming: EventTiming

    /// The reachability of the server.
    public enum Reachability: Sendable, Hashable {
        /// It listens.
        case reachable
        /// The network is lost: connections are reset, and new ones are refused.
        case refusing
        /// The network drops everything.
        ///
        /// When it is back, all connections are reset.
        case unresponsive
        /// It has closed its connections and withdrawn its announcement.
        ///
        /// When it is back, its configuration number is one higher.
        case rebooting
    }

    /// The time at which a connection is notified of changes.
    public enum EventTiming: Sendable, Hashable {
        /// At once, then once a second at most.
        ///
        /// HAP: §14
        case rateLimited
        /// After this time since the first change.
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

/// The values of an announcement that replace the correct ones; `nil` for correct ones.
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
