public import HAPCore

/// The reason why a server cannot be found on the network, or cannot find others.
///
/// This is the only error type of this module.
public struct DiscoveryError: ExplainedError {
    /// The kinds of failures.
    public enum Code: String, Sendable, Hashable {
        /// No D-Bus system bus answers, which is required to reach an Avahi daemon.
        case noBus
        /// The bus answers, but no Avahi daemon does.
        case noDaemon
        /// The bus or the daemon accepts no further connection or service.
        case limit
        /// All names that were tried are in use.
        case nameTaken
        /// The daemon accepted the service but did not confirm it in time.
        case noResponse
        /// The daemon refused the service.
        case refused
        /// The daemon confirmed the service, but it is not found on the network.
        case notFound
        /// The service is found, but its port or text differs from what was registered.
        case recordMismatch
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence that says what happened.
    public var reason: String
    /// A sentence that says what the user can do.
    public var remedy: String

    /// Creates an error.
    public init(_ code: Code, reason: String, remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }
}

extension DiscoveryError {
    /// Whether a running server is advertised automatically as soon as a daemon answers.
    package var endsWithDaemon: Bool { code == .noBus || code == .noDaemon }
}

extension DiscoveryError {
    /// No D-Bus system bus answers.
    package static let noBus = DiscoveryError(
        .noBus,
        reason: "The D-Bus system bus, and therefore the Avahi daemon, does not answer, so no controller finds this "
            + "server.",
        remedy: """
            Start both with `systemctl start dbus avahi-daemon`, or in a container with `mkdir -p /run/dbus && \
            dbus-daemon --system --fork --nopidfile && avahi-daemon -D`.
            """
    )

    /// The bus answers, but no daemon does.
    package static let noDaemon = DiscoveryError(
        .noDaemon,
        reason: "The Avahi daemon does not answer, so no controller finds this server.",
        remedy: "Start it with `systemctl start avahi-daemon`, or in a container with `avahi-daemon -D`."
    )

    /// The libraries that connect to the daemon are missing.
    package static let noLibrary = DiscoveryError(
        .noDaemon,
        reason: "Avahi's libraries are not installed, so no controller finds this server.",
        remedy: "Install them and the daemon, on Debian with `apt install libavahi-compat-libdnssd1 avahi-daemon`."
    )

    /// The bus allows 256 connections per user, and every service needs one.
    package static let limit = DiscoveryError(
        .limit,
        reason: "The system bus or the Avahi daemon accepts no more services, so no controller finds this server.",
        remedy: """
            The server runs without it. Run fewer servers as one user, or raise max_connections_per_user of the D-Bus \
            system bus; it is tried again.
            """
    )

    /// The process cannot open the file descriptors for another service.
    package static let noDescriptors = DiscoveryError(
        .limit,
        reason: "This process has no file descriptor left for another service, so no controller finds this server.",
        remedy: "Raise the limit on open files (`ulimit -n`, or LimitNOFILE of the systemd unit), or run fewer servers."
    )

    /// The service was confirmed but is not found.
    package static let notFound = DiscoveryError(
        .notFound,
        reason: "The Avahi daemon confirmed the service, but it is not found on the network.",
        remedy: "Check that a network interface is up and that Avahi may use it; the server registers the service "
            + "again."
    )

    /// The service has other content on the network than was registered.
    package static let recordMismatch = DiscoveryError(
        .recordMismatch,
        reason: "Another announcement on the network has this server's name, but a different port or content.",
        remedy: "Check whether another host announces the same name; the server registers the service again."
    )

    /// All names that were tried are in use.
    package static let nameTaken = DiscoveryError(
        .nameTaken,
        reason: "Other devices on this network already use the accessory's name and its variants with a number.",
        remedy: "Give the accessory another name."
    )

    /// The daemon did not confirm the service in time.
    package static let noResponse = DiscoveryError(
        .noResponse,
        reason: "The Avahi daemon accepted the service, but did not confirm it.",
        remedy: "Check the daemon's log and network interfaces; the server tries again."
    )

    /// The bus accepted a connection but does not answer.
    package static let busNotResponding = DiscoveryError(
        .noResponse,
        reason: "The D-Bus system bus or the Avahi daemon accepted a request, but did not answer in time.",
        remedy: "Check their logs with `journalctl -u dbus -u avahi-daemon`, and restart the one that hangs."
    )

    /// The bus closed the connection or uses another protocol.
    package static let busRefused = DiscoveryError(
        .refused,
        reason: "The D-Bus system bus refuses this user, or DBUS_SYSTEM_BUS_ADDRESS does not point to a system bus.",
        remedy: "Check its log with `journalctl -u dbus`, and DBUS_SYSTEM_BUS_ADDRESS if you have set it."
    )

    /// The daemon does not support the protocol of the library.
    package static let versionMismatch = DiscoveryError(
        .refused,
        reason: "The Avahi daemon is older than Avahi's library and incompatible with it.",
        remedy: "Update both, and restart the daemon with `systemctl restart avahi-daemon`."
    )
}

extension DiscoveryError {
    /// The same failure, worded for finding accessories instead of advertising one.
    package var forBrowsing: DiscoveryError {
        switch code {
        case .noBus, .noDaemon:
            DiscoveryError(
                code,
                reason: reason.replacing("no controller finds this server", with: "no accessory can be found"),
                remedy: remedy
            )
        case .limit:
            DiscoveryError(
                .limit,
                reason: "The Avahi daemon accepts no more connections, so no accessory can be found.",
                remedy: """
                    Close programs that use it, or raise max_connections_per_user of the D-Bus system bus and the \
                    limit on open files (`ulimit -n`).
                    """
            )
        case .nameTaken, .noResponse, .refused, .notFound, .recordMismatch:
            self
        }
    }
}
