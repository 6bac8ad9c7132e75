package import AccessoryModel
package import HAPCore
package import HomeModel

/// What happened in a world.
package enum WorldChange: Sendable, Hashable {
    /// A characteristic has this value; `nil` when it has none.
    case value(CharacteristicReference, CharacteristicValue?)
    /// A characteristic has this value, because the world has written it.
    ///
    /// For worlds in which nobody tells a writer of what they wrote.
    case written(CharacteristicReference, CharacteristicValue)
    /// A server can be reached.
    case reachable(DeviceID)
    /// A server cannot be reached, or not any more: why.
    case unreachable(DeviceID, String)
    /// A server has other accessories, services or characteristics than before.
    case structureChanged(DeviceID)
}
