/// What an accessory server answered to `GET /accessories`, and when it said so.
///
/// HAP: §11.7
public struct CachedDatabase: Sendable, Hashable {
    /// The configuration number that was announced at the time; `nil` when it was not known.
    public var configurationNumber: UInt64?
    /// The body as it came.
    public var body: [UInt8]

    /// Creates one.
    public init(configurationNumber: UInt64?, body: [UInt8]) {
        self.configurationNumber = configurationNumber
        self.body = body
    }
}
