/// What a state database says about one server, without its secrets.
package struct KeptServer: Sendable, Hashable {
    /// What names the server across restarts.
    package var key: String
    /// The device ID, `nil` before the first start has ended.
    package var deviceID: String?
    /// The port that is kept for it.
    package var port: UInt16?
    /// How many controllers are paired.
    package var pairings: Int
    /// How many of them are admins.
    package var admins: Int
    /// How many wrong setup codes in a row were tried.
    package var failedProofs: Int

    /// Creates one.
    package init(
        key: String,
        deviceID: String? = nil,
        port: UInt16? = nil,
        pairings: Int = 0,
        admins: Int = 0,
        failedProofs: Int = 0
    ) {
        self.key = key
        self.deviceID = deviceID
        self.port = port
        self.pairings = pairings
        self.admins = admins
        self.failedProofs = failedProofs
    }
}
