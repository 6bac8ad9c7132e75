/// What the Avahi daemon says of itself and of the accessories it sees.
///
/// Asks without registering or starting anything, and never longer than it is told to.
package struct DaemonLook: Sendable, Hashable {
    /// Such as `avahi 0.8`.
    package var version: String
    /// The machine's name on the network, such as `garage.local`.
    package var hostName: String

    /// Creates one.
    package init(version: String, hostName: String) {
        self.version = version
        self.hostName = hostName
    }

    /// Asks the daemon who it is.
    ///
    /// - Throws: `.noBus`, `.noDaemon`, `.noAnswer` when one of them hangs, `.limit` when there is no room for one more
    ///   connection, or `.refused` when the bus is none or the daemon too old.
    package static func look(within time: Duration) async throws(DiscoveryError) -> DaemonLook {
        try await DaemonInquiry().identity(within: time)
    }

    /// The accessories that the daemon finds and looks up in this time, each address once.
    ///
    /// Ends before its time when the daemon has told all that it knows and asked the network once.
    ///
    /// - Throws: As ``look(within:)``.
    package static func accessories(within time: Duration) async throws(DiscoveryError) -> [FoundService] {
        try await DaemonInquiry().accessories(within: time)
    }

    /// The addresses of a host such as `garage.local`, those first that are likely to work; none when nobody says that it
    /// is called so.
    ///
    /// Waits for as long as it may when there is no such host.
    ///
    /// - Throws: As ``look(within:)``.
    package static func addresses(
        ofHost name: String,
        within time: Duration
    ) async throws(DiscoveryError) -> [String] {
        try await HostInquiry().addresses(of: name, within: time)
    }
}
