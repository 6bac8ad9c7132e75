public import HAPCore

/// A device, as it is declared: before its parts have ids in a server.
///
/// The Accessory Information service comes first; the primary accessory has HAP Protocol Information, too. A server
/// checks this when it starts, not the initializer.
public struct Accessory: Sendable {
    /// What tells it from the server's other accessories, across restarts and edits.
    public var key: String
    /// Its functions.
    public var services: [Service]
    /// The id it must have; `nil` lets the server assign one and keep it.
    ///
    /// The first accessory of a server is aid 1.
    public var aid: AccessoryID?

    /// Creates an accessory.
    public init(key: String, services: [Service], aid: AccessoryID? = nil) {
        self.key = key
        self.services = services
        self.aid = aid
    }
}
