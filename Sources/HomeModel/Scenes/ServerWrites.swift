public import AccessoryModel
public import HAPCore

/// What one request writes: what a scene sets on one server, whichever of its accessories it is on.
public struct ServerWrites: Sendable, Hashable {
    /// One value to write.
    public struct Item: Sendable, Hashable {
        /// The action that it comes from.
        public var action: HomeAction
        /// Where it goes.
        public var id: CharacteristicID
        /// The value as the characteristic holds it.
        public var value: CharacteristicValue

        /// Creates an item.
        public init(action: HomeAction, id: CharacteristicID, value: CharacteristicValue) {
            self.action = action
            self.id = id
            self.value = value
        }
    }

    /// The server.
    public var server: DeviceID
    /// Whether a timed write is needed, because one of the characteristics asks for it; the others do not mind.
    ///
    /// HAP: §14
    public var isTimed: Bool
    /// The values, in the order of the actions.
    public var items: [Item]

    /// Creates a request.
    public init(server: DeviceID, isTimed: Bool = false, items: [Item]) {
        self.server = server
        self.isTimed = isTimed
        self.items = items
    }
}
