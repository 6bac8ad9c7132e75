internal import AccessoryModel

/// The limits for connections of a server.
///
/// HAP: §16
package struct ConnectionLimits: Sendable, Hashable {
    /// The maximum time from the first to the last byte of an unencrypted request.
    package var requestTimeout = Duration.seconds(10)
    /// The maximum time for a request within a session: 4 MiB at 0.6 Mbit/s.
    package var sessionRequestTimeout = Duration.seconds(60)
    /// The maximum idle time of an unverified connection.
    package var idleTimeout = Duration.seconds(60)
    /// The maximum idle time of a connection during pair-setup, while a user types the setup code.
    package var pairSetupIdleTimeout = Duration.seconds(300)
    /// The time for which a host may occupy pair-setup while another host waits, if it repeats M1 more than once in its
    /// turn or has wasted an earlier turn.
    ///
    /// Also the time for which a connection may occupy it while another connection of the same host waits.
    package var pairSetupShortTurnTime = Duration.seconds(30)
    /// The time for which any other host may occupy pair-setup while another host waits, because a user may be typing
    /// the setup code.
    package var pairSetupTurnTime = Duration.seconds(120)
    /// The minimum time between two event messages of a connection.
    ///
    /// HAP: §14
    package var eventInterval = EventQueue.standardInterval
    /// The interval at which time limits are checked; an expired limit may be noticed this much later.
    package var inspectionInterval = Duration.seconds(5)
    /// The maximum time that sent data may stay unacknowledged, in whole milliseconds.
    package var tcpUserTimeout = Duration.seconds(30)
    /// The maximum time that a stopping server waits for controllers to receive its messages.
    package var stopTimeout = Duration.seconds(3)
    /// The maximum number of bytes of unfinished requests on all unverified connections together.
    package var unfinishedBytes = 4 << 20
    /// The maximum number of bytes of unfinished requests on all sessions together.
    package var sessionUnfinishedBytes = 32 << 20
    /// The maximum number of unsent bytes of long responses and events on all connections together.
    ///
    /// Messages of at most 256 KiB, and messages that fault injection sends in pieces, do not count.
    package var unsentBytes = 64 << 20

    package init() {}
}
