internal import Discovery
internal import Synchronization

/// Makes the advertisers of the services that the drivers of a process announce.
final class DriverAnnouncer: Sendable {
    /// The maximum number of services of drivers that are announced.
    ///
    /// The message bus allows 256 connections for one user, and ``HostSettings/maximumAdvertised`` are for servers.
    static let maximumCount = 40

    private let discovery: DiscoveryQueue
    private let count = Mutex(0)

    init(on discovery: DiscoveryQueue) {
        self.discovery = discovery
    }

    /// Returns an advertiser that does nothing yet; `nil` at the limit.
    func makeAdvertiser() -> (any Advertiser)? {
        let hasRoom = count.withLock { count in
            guard count < Self.maximumCount else { return false }
            count += 1
            return true
        }
        return hasRoom ? DNSSDAdvertiser(on: discovery) : nil
    }

    /// Makes room for others when advertisers have stopped.
    func release(_ number: Int) { count.withLock { $0 -= number } }
}
