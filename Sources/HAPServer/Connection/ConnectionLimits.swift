/// What a connection may take of a server, and for how long.
///
/// HAP: §16
package struct ConnectionLimits: Sendable, Hashable {
    /// How long a request in clear may take from its first byte to its last.
    package var requestTimeout = Duration.seconds(10)
    /// How long a request within a session may take: 4 MiB at 0.6 Mbit/s.
    package var sessionRequestTimeout = Duration.seconds(60)
    /// How long a connection in clear may be silent.
    package var idleTimeout = Duration.seconds(60)
    /// How long a connection may be silent during pair-setup, when a person types the setup code.
    package var pairSetupIdleTimeout = Duration.seconds(300)
    /// How long a host that repeats M1 keeps pair-setup when another host waits.
    ///
    /// Also how long a connection keeps it when another connection of the same host asks.
    package var pairSetupShortTurnTime = Duration.seconds(30)
    /// How long another host waits for one that has begun pair-setup, when a person may be typing the setup code.
    package var pairSetupTurnTime = Duration.seconds(120)
    /// How often the limits of time are checked: an expired one may be noticed this much late.
    package var inspectionInterval = Duration.seconds(5)
    /// How long data that was sent may stay unacknowledged, in whole milliseconds.
    package var tcpUserTimeout = Duration.seconds(30)
    /// How long a server that stops waits for controllers to take what they were sent.
    package var stopTimeout = Duration.seconds(3)
    /// How many bytes of unfinished requests all connections in clear may hold together.
    package var unfinishedBytes = 4 << 20
    /// How many bytes of unfinished requests all sessions may hold together.
    package var sessionUnfinishedBytes = 32 << 20
    /// How many bytes of long answers and events that have not left all connections may hold together.
    ///
    /// Messages of at most 256 KiB, and what fault injection sends in pieces, are not counted.
    package var unsentBytes = 64 << 20

    package init() {}
}
