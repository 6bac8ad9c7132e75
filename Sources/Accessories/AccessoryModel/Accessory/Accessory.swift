public import HAPCore

/// A declared accessory, whose objects do not have ids on a server yet.
///
/// The Accessory Information service is the first one, and the primary accessory also has HAP Protocol Information. A
/// server checks this when it starts; the initializer does not check it.
public struct Accessory: Sendable {
    /// The key that identifies the accessory among the server's accessories, across restarts and edits.
    public var key: String
    /// The services of the accessory.
    public var services: [Service]
    /// The required id, or `nil` to let the server assign and save one.
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
