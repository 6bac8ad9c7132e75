/// The limits and timeouts of a controller for accessories.
public struct ControllerConfiguration: Sendable, Hashable {
    /// The timeout for finding and connecting, for all addresses together.
    ///
    /// `hap` must report an unreachable accessory within ten seconds; nine of them are for connecting.
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
    /// Before a session, the maximum is 64 KiB. For an event, it is 4 MiB.
    public var maximumBodyBytes = 16 << 20
    /// The maximum number of changes that wait for a subscriber.
    ///
    /// If there are more, only the latest value of each characteristic is kept.
    public var maximumPendingChanges = 1_024
    /// The maximum size of these changes together, in bytes.
    ///
    /// If they are larger, only the latest values are kept; if even these are larger, the subscription ends.
    public var maximumPendingBytes = 16 << 20
    /// The timeout for one small response when the accessory announces another address than that of the session.
    public var announcementCheckTime = Duration.seconds(3)
    /// The time that a session waits for the first announcement.
    ///
    /// After that, the database is read although the announced configuration number is not known.
    public var firstAnnouncementTime = Duration.milliseconds(500)
    /// The time until a lost session of a watched accessory is opened again; it doubles with each failure.
    public var firstReconnectDelay = Duration.milliseconds(250)
    /// The maximum time until a lost session is opened again.
    public var longestReconnectDelay = Duration.seconds(30)

    /// Creates the configuration with the defaults.
    public init() {}
}
