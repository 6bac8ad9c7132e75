public import AccessoryModel

/// What else changed with an edit.
public enum EditEffect: Sendable, Hashable {
    /// An accessory went to another room, because its own is removed.
    case accessoryMoved(ObjectName, to: ObjectName)
    /// A service that was in another room than its accessory went back to that, because the other is removed.
    case serviceMoved(ObjectName, to: ObjectName)
    /// A zone lost a room.
    case zoneLostRoom(ObjectName, room: ObjectName)
    /// An accessory is removed, such as one behind a removed bridge.
    case accessoryRemoved(ObjectName)
    /// A service is removed.
    case serviceRemoved(ObjectName)
    /// A service has come to an accessory.
    case serviceAdded(ObjectName, accessory: ObjectName)
    /// A service got another name, because its own is taken.
    case serviceRenamed(ObjectName, to: ObjectName)
    /// A service has lost a characteristic.
    case characteristicRemoved(CharacteristicType, service: ObjectName)
    /// A group lost a service.
    case groupLostService(ObjectName, service: ObjectName)
    /// A scene lost an action.
    case sceneLostAction(ObjectName, CharacteristicType, service: ObjectName)
    /// An automation does less than before.
    case automationChanged(ObjectName)
    /// An automation is disabled, because its condition or its ending is not whole any more.
    case automationDisabled(ObjectName)
    /// An automation is removed, because nothing starts it any more, or nothing is left for it to do.
    case automationRemoved(ObjectName)
    /// Another home is the primary one.
    case primaryHomeChanged(ObjectName)
    /// A user is now administrator, because somebody else became the owner.
    case ownerChanged(from: ObjectName, to: ObjectName)
}

extension EditEffect: CustomStringConvertible {
    /// The change in a sentence.
    public var description: String {
        switch self {
        case .accessoryMoved(let name, let room): "\(name) is now in \(room)."
        case .serviceMoved(let name, let room): "\(name) is now in \(room), as its accessory is."
        case .zoneLostRoom(let zone, let room): "The zone \(zone) has no \(room) any more."
        case .accessoryRemoved(let name): "The accessory \(name) is removed."
        case .serviceRemoved(let name): "The service \(name) is gone."
        case .serviceAdded(let name, let accessory): "\(accessory) has a new service \(name)."
        case .serviceRenamed(let name, let other): "The service \(name) is now called \(other)."
        case .characteristicRemoved(let type, let service): "\(service) has no \(type) any more."
        case .groupLostService(let group, let service): "The group \(group) has no \(service) any more."
        case .sceneLostAction(let scene, let type, let service):
            "The scene \(scene) does not set \(type) of \(service) any more."
        case .automationChanged(let name): "The automation \(name) does less than before."
        case .automationDisabled(let name): "The automation \(name) is disabled: something that it needs is gone."
        case .automationRemoved(let name):
            "The automation \(name) is removed: something that it cannot be without is gone."
        case .primaryHomeChanged(let name): "\(name) is now the primary home."
        case .ownerChanged(let before, let now): "\(now) is now the owner, and \(before) an administrator."
        }
    }
}
