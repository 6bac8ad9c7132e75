/// Puts one server on the network and takes it back.
///
/// `start` and `update` return at once and may be called from an event loop; calls take effect in the order in which
/// they were made.
package protocol Advertiser: Sendable {
    /// Begins to advertise, and goes on through the daemon's absences until ``stop()``.
    ///
    /// `onState` is called on the advertiser's own thread whenever the state changes, never twice with the same.
    func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void)

    /// Replaces what is advertised.
    ///
    /// A change of the text alone is announced at once. A change of name or port takes the service back and puts it on
    /// the network anew.
    func update(_ record: ServiceRecord)

    /// Takes the service back until the next ``update(_:)``.
    func withdraw()

    /// Waits until it is known whether advertising works, and says which: advertised, unavailable or stopped.
    ///
    /// An advertiser that never advertises answers idle at once.
    func firstOutcome() async -> AdvertiserState

    /// Takes the service back and returns when the goodbye has been sent. A stopped advertiser does not start again.
    func stop() async
}

/// Whether controllers can find a server on the network.
public enum AdvertiserState: Sendable, Hashable {
    /// Not asked to advertise.
    case idle
    /// Asked for; the daemon has not confirmed it yet.
    case registering
    /// On the network under this name, which differs from the wished one while another service has that.
    case advertised(name: String, requested: String)
    /// Not on the network, or not as it should be. The server runs all the same.
    ///
    /// It is tried again by itself this long after the report, and before that when a daemon comes that was missing.
    case unavailable(DiscoveryError, retryIn: Duration)
    /// Being taken back: the goodbye is on its way.
    case withdrawing
    /// Off the network for good: the goodbye has been sent.
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

/// Keeps a server off the network: `--advertise off`.
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
