public import AccessoryModel
public import HAPCore

/// The values that one request writes on one server, for any of its accessories.
public struct ServerWriteRequest: Sendable, Hashable {
    /// The device ID of the server.
    public var server: DeviceID
    /// Whether the request must be a timed write, because one of the characteristics requires it.
    ///
    /// Characteristics that do not require a timed write accept one, too.
    ///
    /// HAP: §13
    public var isTimed = false
    /// The actions that the request performs.
    public private(set) var actions: [HomeAction] = []
    /// The writes of these actions, in the same order.
    public private(set) var writes: [CharacteristicWrite] = []

    /// Adds the write of an action.
    mutating func append(_ write: CharacteristicWrite, for action: HomeAction, isTimed: Bool) {
        actions.append(action)
        writes.append(write)
        self.isTimed = self.isTimed || isTimed
    }
}
