/// Advertises one server on the network.
///
/// `start` and `update` return at once and may be called from an event loop. Calls take effect in the order in which
/// they are made.
package protocol Advertiser: Sendable {
    /// Starts to advertise, and continues through outages of the daemon until ``stop()``.
    ///
    /// `onState` is called on the advertiser's own thread whenever the state changes.
    func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void)

    /// Replaces the advertised record.
    ///
    /// A change of the text is announced at once. A change of the name or the port withdraws the service and registers
    /// it again.
    func update(_ record: ServiceRecord)

    /// Withdraws the service until the next ``update(_:)``.
    func withdraw()

    /// Waits until it is known whether advertising works, and returns the state: advertised, unavailable or stopped.
    ///
    /// An advertiser that never advertises returns idle at once.
    func firstOutcome() async -> AdvertiserState

    /// Withdraws the service, and returns when the goodbye was sent.
    ///
    /// A stopped advertiser does not start again.
    func stop() async
}

/// Whether controllers can find a server on the network.
public enum AdvertiserState: Sendable, Hashable {
    /// Advertising was not requested.
    case idle
    /// Advertising was requested, but the daemon has not confirmed it yet.
    case registering
    /// The service is on the network under this name. The name differs from the requested one if another service has
    /// that.
    case advertised(name: String, requested: String)
    /// The service is not on the network, or not as requested. The server keeps running.
    ///
    /// The advertiser tries again after this time, or earlier if a missing daemon becomes available.
    case unavailable(DiscoveryError, retryIn: Duration)
    /// The service is being withdrawn.
    case withdrawing
    /// The service was withdrawn permanently: the goodbye was sent.
    case stopped
}

extension AdvertiserState: CustomStringConvertible {
    /// The state in words for a log line.
    public var description: String {
        switch self {
        case .idle: "not advertised"
        case .registering: "registering"
        case .advertised(let name, let wished) where name == wished: "advertised as \(name)"
        case .advertised(let name, let wished): "advertised as \(name), since another service is called \(wished)"
        case .unavailable(let error, let delay):
            "not advertised: \(error) The next try follows in \(delay.components.seconds) s."
        case .withdrawing: "withdrawing"
        case .stopped: "stopped"
        }
    }
}

/// An advertiser that does not advertise, for `--advertise off`.
package struct NoOpAdvertiser: Advertiser {
    /// Creates one.
    package init() {}

    package func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void) {}

    package func update(_ record: ServiceRecord) {}

    package func withdraw() {}

    package func firstOutcome() async -> AdvertiserState {
        .idle
    }

    package func stop() async {}
}
