public import AccessoryModel

/// A side effect of an edit.
public enum EditEffect: Sendable, Hashable {
    /// An accessory was moved to another room, because its room was removed.
    case accessoryMoved(ObjectName, to: ObjectName)
    /// A service moved from its own room back to the room of its accessory, because its own room was removed.
    case serviceMoved(ObjectName, to: ObjectName)
    /// A zone lost a room.
    case zoneLostRoom(ObjectName, room: ObjectName)
    /// An accessory was removed, for example one behind a removed bridge.
    case accessoryRemoved(ObjectName)
    /// A service was removed.
    case serviceRemoved(ObjectName)
    /// A service was added to an accessory.
    case serviceAdded(ObjectName, accessory: ObjectName)
    /// A service was renamed, because its name is taken.
    case serviceRenamed(ObjectName, to: ObjectName)
    /// A service lost a characteristic.
    case characteristicRemoved(CharacteristicType, service: ObjectName)
    /// A group lost a service.
    case groupLostService(ObjectName, service: ObjectName)
    /// A scene lost an action.
    case sceneLostAction(ObjectName, CharacteristicType, service: ObjectName)
    /// An automation lost some of its triggers, scenes or actions.
    case automationChanged(ObjectName)
    /// An automation was disabled, because its condition or its end is no longer complete.
    case automationDisabled(ObjectName)
    /// An automation was removed, because it lost all of its triggers or all of its scenes and actions.
    case automationRemoved(ObjectName)
    /// Another home became the primary one.
    case primaryHomeChanged(ObjectName)
    /// A user became an administrator, because another user became the owner.
    case ownerChanged(from: ObjectName, to: ObjectName)
}

extension EditEffect: CustomStringConvertible {
    /// The effect in a sentence.
    public var description: String {
        switch self {
        case .accessoryMoved(let name, let room): "\(name) is now in \(room)."
        case .serviceMoved(let name, let room): "\(name) is now in \(room), as its accessory is."
        case .zoneLostRoom(let zone, let room): "The zone \(zone) no longer contains \(room)."
        case .accessoryRemoved(let name): "The accessory \(name) is removed."
        case .serviceRemoved(let name): "The service \(name) is removed."
        case .serviceAdded(let name, let accessory): "\(accessory) has a new service \(name)."
        case .serviceRenamed(let name, let other): "The service \(name) is now called \(other)."
        case .characteristicRemoved(let type, let service): "\(service) no longer has \(type)."
        case .groupLostService(let group, let service): "The group \(group) no longer contains \(service)."
        case .sceneLostAction(let scene, let type, let service):
            "The scene \(scene) no longer sets \(type) of \(service)."
        case .automationChanged(let name): "The automation \(name) has lost some of its triggers, scenes or actions."
        case .automationDisabled(let name): "The automation \(name) is disabled: its condition or end is incomplete."
        case .automationRemoved(let name):
            "The automation \(name) is removed: it has no triggers or no actions left."
        case .primaryHomeChanged(let name): "\(name) is now the primary home."
        case .ownerChanged(let before, let now): "\(now) is now the owner, and \(before) an administrator."
        }
    }
}
