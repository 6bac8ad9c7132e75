public import HAPCore

/// An accessory as its server or a file describes it, before it has a place in a home.
public struct AnnouncedAccessory: Sendable, Hashable {
    /// What it calls itself; may hold anything.
    public var name: String?
    /// What kind of thing it is.
    public var category: AccessoryCategory?
    /// Its functions, in its order.
    public var services: [AnnouncedService]

    /// Creates one.
    public init(name: String?, category: AccessoryCategory? = nil, services: [AnnouncedService]) {
        self.name = name
        self.category = category
        self.services = services
    }
}
