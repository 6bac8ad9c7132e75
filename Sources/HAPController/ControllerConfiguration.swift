/// What a controller allows accessories, and for how long.
public struct ControllerConfiguration: Sendable, Hashable {
    /// How long finding and connecting may take, over all addresses together.
    ///
    /// Leaves a second of the ten within which `hap` says that an accessory cannot be reached.
    public var connectionTime = Duration.seconds(9)
    /// How long each answer of a pair-setup may take: an accessory may compute for seconds.
    public var pairSetupTime = Duration.seconds(30)
    /// How long each answer of a pair-verify may take.
    public var pairVerifyTime = Duration.seconds(10)
    /// How long the answer to a request may take.
    public var requestTime = Duration.seconds(10)
    /// How long the answer to a request for the whole database may take.
    public var databaseTime = Duration.seconds(30)
    /// How large the body of an answer may be within a session, in bytes; before it, 64 KiB are allowed, and for an event
    /// at most 4 MiB.
    public var maximumBodyBytes = 16 << 20
    /// How many changes wait for one that watches; beyond them only the latest value of each characteristic is kept.
    public var maximumPendingChanges = 1_024
    /// How large those changes may be together, in bytes; beyond it the latest values alone are kept, and a watch whose
    /// latest values are larger ends.
    public var maximumPendingBytes = 16 << 20
    /// How long the accessory may take over one small answer when it has announced itself in another place than the one
    /// where the session leads.
    public var announcementCheckTime = Duration.seconds(3)
    /// How long the first announcement of a session is waited for before the database is read without knowing its number.
    public var firstAnnouncementTime = Duration.milliseconds(500)
    /// How long to wait before a lost session of an accessory that is watched is opened again; doubles at each failure.
    public var firstReconnectDelay = Duration.milliseconds(250)
    /// What that wait grows to.
    public var longestReconnectDelay = Duration.seconds(30)

    /// Creates the configuration with the defaults.
    public init() {}
}
