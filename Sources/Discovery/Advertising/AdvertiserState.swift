/// Whether controllers can find a server on the network.
public enum AdvertiserState: Sendable, Hashable {
    /// Not asked to advertise.
    case idle
    /// Asked for; the daemon has not confirmed it yet.
    case registering
    /// On the network under this name, which differs from the wished one while another service has that.
    case advertised(name: String, wished: String)
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
