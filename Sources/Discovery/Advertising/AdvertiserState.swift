/// Whether controllers can find a server on the network.
public enum AdvertiserState: Sendable, Hashable {
    /// Not asked to advertise.
    case idle
    /// Asked for; the daemon has not confirmed it yet.
    case registering
    /// On the network under this name, which differs from the wanted one when that was taken.
    case advertised(name: String)
    /// Not on the network. The server runs all the same, and the advertiser tries again by itself.
    case unavailable(DiscoveryError)
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
        case .advertised(let name): "advertised as \(name)"
        case .unavailable(let error): "not advertised: \(error)"
        case .withdrawing: "withdrawing"
        case .stopped: "stopped"
        }
    }
}
