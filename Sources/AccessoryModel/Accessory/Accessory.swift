public import HAPCore

/// A declared device, before its parts have ids on a server.
///
/// The Accessory Information service comes first; the primary accessory also has HAP Protocol Information. A server
/// checks this when it starts, not the initializer.
public struct Accessory: Sendable {
    /// The key that identifies it among the server's accessories, across restarts and edits.
    public var key: String
    /// Its functions.
    public var services: [Service]
    /// The required id; `nil` lets the server assign and save one.
    ///
    /// The first accessory of a server has aid 1.
    public var aid: AccessoryID?

    /// Creates an accessory.
    public init(key: String, services: [Service], aid: AccessoryID? = nil) {
        self.key = key
        self.services = services
        self.aid = aid
    }
}
