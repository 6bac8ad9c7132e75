package import HAPCore

/// A service with its id in a server.
package struct RegisteredService: Sendable {
    package let aid: AccessoryID
    package let iid: InstanceID
    package let key: ServiceKey
    /// The type as `/accessories` shows it, where that is not what follows from the key.
    let writtenType: String?
    package let isPrimary: Bool
    package let isHidden: Bool
    package internal(set) var linked: [InstanceID]
    /// Where its characteristics stand in the database.
    package let characteristics: Range<Int>
    package var behavior: (any Behavior)?
    /// Where the services of its accessory stand whose behaviours want to hear of its changes.
    package internal(set) var listeners: [Int] = []
}
