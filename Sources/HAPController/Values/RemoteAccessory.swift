public import HAPCore

/// An accessory as its server describes it.
///
/// HAP: §11.4
public struct RemoteAccessory: Sendable, Hashable {
    /// Its number in the server.
    public var aid: AccessoryID
    /// Its functions, in the server's order.
    public var services: [RemoteService]

    /// Creates one.
    public init(aid: AccessoryID, services: [RemoteService]) {
        self.aid = aid
        self.services = services
    }
}
