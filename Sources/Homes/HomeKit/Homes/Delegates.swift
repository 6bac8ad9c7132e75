/// Receives changes of the homes; all methods are optional, because the default implementations do nothing.
///
/// A method that only a subclass of the conforming class declares is not called: declare it in the class that conforms, and
/// override it.
@preconcurrency
public protocol HMHomeManagerDelegate: NSObjectProtocol {
    /// The homes were loaded. It is called once for each delegate; later changes call the other methods.
    func homeManagerDidUpdateHomes(_ manager: HMHomeManager)
    /// The primary home changed.
    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager)
    /// Another program has added a home.
    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome)
    /// Another program has removed a home.
    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome)
    /// The authorization status was determined.
    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus)
}

extension HMHomeManagerDelegate {
    /// Does nothing.
    public func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {}
    /// Does nothing.
    public func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) {}
    /// Does nothing.
    public func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) {}
    /// Does nothing.
    public func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) {}
    /// Does nothing.
    public func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {}
}

/// Receives changes that other programs make to a home; all methods are optional.
@preconcurrency
public protocol HMHomeDelegate: NSObjectProtocol {
    /// The home was renamed.
    func homeDidUpdateName(_ home: HMHome)
    /// The rights of the current user have changed.
    func homeDidUpdateAccessControl(forCurrentUser home: HMHome)
    /// Never called: the features of a home do not change.
    func homeDidUpdateSupportedFeatures(_ home: HMHome)
    /// An accessory was added; for a new bridge, only the accessories behind it are reported.
    func home(_ home: HMHome, didAdd accessory: HMAccessory)
    /// An accessory was removed.
    func home(_ home: HMHome, didRemove accessory: HMAccessory)
    /// An accessory was moved to another room.
    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory)
    /// A user was added.
    func home(_ home: HMHome, didAdd user: HMUser)
    /// A user was removed.
    func home(_ home: HMHome, didRemove user: HMUser)
    /// A room was added.
    func home(_ home: HMHome, didAdd room: HMRoom)
    /// A room was removed.
    func home(_ home: HMHome, didRemove room: HMRoom)
    /// A room was renamed.
    func home(_ home: HMHome, didUpdateNameFor room: HMRoom)
    /// A zone was added.
    func home(_ home: HMHome, didAdd zone: HMZone)
    /// A zone was removed.
    func home(_ home: HMHome, didRemove zone: HMZone)
    /// A zone was renamed.
    func home(_ home: HMHome, didUpdateNameFor zone: HMZone)
    /// A room was added to a zone.
    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone)
    /// A room was removed from a zone.
    func home(_ home: HMHome, didRemove room: HMRoom, from zone: HMZone)
    /// A group was added.
    func home(_ home: HMHome, didAdd group: HMServiceGroup)
    /// A group was removed.
    func home(_ home: HMHome, didRemove group: HMServiceGroup)
    /// A group was renamed.
    func home(_ home: HMHome, didUpdateNameFor group: HMServiceGroup)
    /// A service was added to a group.
    func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup)
    /// A service was removed from a group.
    func home(_ home: HMHome, didRemove service: HMService, from group: HMServiceGroup)
    /// A scene was added.
    func home(_ home: HMHome, didAdd actionSet: HMActionSet)
    /// A scene was removed.
    func home(_ home: HMHome, didRemove actionSet: HMActionSet)
    /// A scene was renamed.
    func home(_ home: HMHome, didUpdateNameFor actionSet: HMActionSet)
    /// The actions of a scene have changed.
    func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet)
    /// A trigger was added.
    func home(_ home: HMHome, didAdd trigger: HMTrigger)
    /// A trigger was removed.
    func home(_ home: HMHome, didRemove trigger: HMTrigger)
    /// A trigger was renamed.
    func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger)
    /// A trigger was changed, enabled or disabled.
    func home(_ home: HMHome, didUpdate trigger: HMTrigger)
    /// A process started or stopped running the triggers of the home.
    func home(_ home: HMHome, didUpdate homeHubState: HMHomeHubState)
    /// Never called: accessories are not blocked.
    func home(_ home: HMHome, didUnblockAccessory accessory: HMAccessory)
    /// Never called.
    func home(_ home: HMHome, didEncounterError error: any Error, for accessory: HMAccessory)
}

extension HMHomeDelegate {
    /// Does nothing.
    public func homeDidUpdateName(_ home: HMHome) {}
    /// Does nothing.
    public func homeDidUpdateAccessControl(forCurrentUser home: HMHome) {}
    /// Does nothing.
    public func homeDidUpdateSupportedFeatures(_ home: HMHome) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd user: HMUser) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove user: HMUser) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd room: HMRoom) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove room: HMRoom) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor room: HMRoom) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove room: HMRoom, from zone: HMZone) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove service: HMService, from group: HMServiceGroup) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd actionSet: HMActionSet) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove actionSet: HMActionSet) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor actionSet: HMActionSet) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet) {}
    /// Does nothing.
    public func home(_ home: HMHome, didAdd trigger: HMTrigger) {}
    /// Does nothing.
    public func home(_ home: HMHome, didRemove trigger: HMTrigger) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdate trigger: HMTrigger) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUpdate homeHubState: HMHomeHubState) {}
    /// Does nothing.
    public func home(_ home: HMHome, didUnblockAccessory accessory: HMAccessory) {}
    /// Does nothing.
    public func home(_ home: HMHome, didEncounterError error: any Error, for accessory: HMAccessory) {}
}

/// Receives changes of an accessory; all methods are optional.
@preconcurrency
public protocol HMAccessoryDelegate: NSObjectProtocol, Sendable {
    /// Another program has renamed the accessory.
    func accessoryDidUpdateName(_ accessory: HMAccessory)
    /// The accessory can be reached now, or no longer.
    ///
    /// When it can no longer be reached, the notifications of its characteristics are disabled.
    func accessoryDidUpdateReachability(_ accessory: HMAccessory)
    /// The services or characteristics of the accessory changed.
    func accessoryDidUpdateServices(_ accessory: HMAccessory)
    /// Another program has renamed a service.
    func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService)
    /// Another program has changed the type that a service counts as.
    func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService)
    /// The value of a characteristic with notifications changed; not called for this app's own writes.
    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic)
    /// The firmware version changed.
    func accessory(_ accessory: HMAccessory, didUpdateFirmwareVersion firmwareVersion: String)
    /// Never called: accessories have no profiles on Linux.
    func accessory(_ accessory: HMAccessory, didAdd profile: HMAccessoryProfile)
    /// Never called: accessories have no profiles on Linux.
    func accessory(_ accessory: HMAccessory, didRemove profile: HMAccessoryProfile)
}

extension HMAccessoryDelegate {
    /// Does nothing.
    public func accessoryDidUpdateName(_ accessory: HMAccessory) {}
    /// Does nothing.
    public func accessoryDidUpdateReachability(_ accessory: HMAccessory) {}
    /// Does nothing.
    public func accessoryDidUpdateServices(_ accessory: HMAccessory) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService) {}
    /// Does nothing.
    public func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didUpdateFirmwareVersion firmwareVersion: String) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didAdd profile: HMAccessoryProfile) {}
    /// Does nothing.
    public func accessory(_ accessory: HMAccessory, didRemove profile: HMAccessoryProfile) {}
}

/// Receives accessories that are found on the network; all methods are optional.
@preconcurrency
public protocol HMAccessoryBrowserDelegate: NSObjectProtocol {
    /// An accessory was found that can be paired.
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory)
    /// An accessory is gone, or was paired.
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory)
}

extension HMAccessoryBrowserDelegate {
    /// Does nothing.
    public func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {}
    /// Does nothing.
    public func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {}
}
