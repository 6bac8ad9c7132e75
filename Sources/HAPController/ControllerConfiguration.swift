/// The limits and timeouts of a controller for accessories.
public struct ControllerConfiguration: Sendable, Hashable {
    /// The timeout for finding and connecting, for all addresses together.
    ///
    /// `hap` reports an unreachable accessory within ten seconds; this leaves one of them for everything else.
    public var connectionTime = Duration.seconds(9)
    /// The timeout for each response of a pair-setup: an accessory may compute for seconds.
    public var pairSetupTime = Duration.seconds(30)
    /// The timeout for each response of a pair-verify.
    public var pairVerifyTime = Duration.seconds(10)
    /// The timeout for the response to a request.
    public var requestTime = Duration.seconds(10)
    /// The timeout for the response to a request for the whole database.
    public var databaseTime = Duration.seconds(30)
    /// The maximum size of a response's body within a session, in bytes.
    ///
    /// Before a session the maximum is 64 KiB, for an event 4 MiB.
    public var maximumBodyBytes = 16 << 20
    /// The number of changes that may wait for a subscriber; beyond it, only the latest value of each characteristic
    /// waits.
    public var maximumPendingChanges = 1_024
    /// The maximum size of these changes together, in bytes.
    ///
    /// Beyond it, only the latest values wait; if they are larger, the subscription ends.
    public var maximumPendingBytes = 16 << 20
    /// The timeout for one small response when the accessory announces another address than that of the session.
    public var announcementCheckTime = Duration.seconds(3)
    /// The time to wait for the first announcement in a session before the database is read without knowing its number.
    public var firstAnnouncementTime = Duration.milliseconds(500)
    /// The time until a lost session of a watched accessory is opened again; it doubles with each failure.
    public var firstReconnectDelay = Duration.milliseconds(250)
    /// The maximum of that time.
    public var longestReconnectDelay = Duration.seconds(30)

    /// Creates the configuration with the defaults.
    public init() {}
}
