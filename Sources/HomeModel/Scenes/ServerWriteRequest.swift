public import AccessoryModel
public import HAPCore

/// What one request writes: what a scene sets on one server, whichever of its accessories it is on.
public struct ServerWriteRequest: Sendable, Hashable {
    /// The server.
    public var server: DeviceID
    /// Whether a timed write is needed, because one of the characteristics asks for it; the others do not mind.
    ///
    /// HAP: §14
    public var isTimed = false
    /// The actions that the request carries out.
    public private(set) var actions: [HomeAction] = []
    /// What each of the actions writes.
    public private(set) var writes: [CharacteristicWrite] = []

    /// Adds what an action writes.
    mutating func append(_ write: CharacteristicWrite, for action: HomeAction, isTimed: Bool) {
        actions.append(action)
        writes.append(write)
        self.isTimed = self.isTimed || isTimed
    }
}
