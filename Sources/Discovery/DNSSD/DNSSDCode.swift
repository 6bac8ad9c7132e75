/// A failure as the `dns_sd` library numbers it.
struct DNSSDCode: Error, Hashable {
    let rawValue: Int32

    init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// What the library calls success.
    static let success: Int32 = 0
    /// No bus, no daemon, or one of them has gone.
    static let unknown = DNSSDCode(-65_537)
    /// The name is taken on this daemon.
    static let nameConflict = DNSSDCode(-65_548)
    /// The bus or the daemon takes no more.
    ///
    /// Observed with Avahi at registration 256 of one user, and when the process has no file descriptor left.
    static let refused = DNSSDCode(-65_553)

    /// The failure in words.
    ///
    /// `bus` is asked only where the library does not tell its reasons apart.
    func discoveryError(bus: @autoclosure () -> SystemBus.Answer) -> DiscoveryError {
        switch self {
        case .unknown: bus().discoveryError
        case .nameConflict: .nameTaken
        case .refused: bus() == .noDescriptors ? .noDescriptors : .limit
        default:
            DiscoveryError(
                .refused,
                reason: "The Avahi daemon refused the service with error \(rawValue).",
                remedy: "Look at the daemon's log; it is tried again."
            )
        }
    }
}
