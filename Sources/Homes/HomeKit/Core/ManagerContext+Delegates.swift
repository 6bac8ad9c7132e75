internal import AccessoryModel
internal import HAPCore
internal import HomeModel

extension ManagerContext {
    /// Notifies the delegates of changes; call it on the main queue.
    func deliver(_ changes: [ObjectChange]) {
        for callback in callbacks(for: changes) { callback() }
    }

    /// Returns the calls of delegates for changes.
    ///
    /// Objects are looked up immediately, before a removal takes effect.
    func callbacks(for changes: [ObjectChange]) -> [() -> Void] {
        guard isLoaded else { return [] }
        return changes.compactMap(callback)
    }

    private func callback(for change: ObjectChange) -> (() -> Void)? {
        switch change {
        case .homeAdded(let id): homeCallback(id) { $0.homeManager($1, didAdd: $2) }
        case .homeRemoved(let id): homeCallback(id) { $0.homeManager($1, didRemove: $2) }
        case .primaryHome:
            manager.map { manager in { manager.delegate?.homeManagerDidUpdatePrimaryHome(manager) } }
        case .homeName(let id): callback(id) { $0.homeDidUpdateName($1) }
        case .homeHub(let id): callback(id) { $0.home($1, didUpdate: $1.homeHubState) }
        case .accessControl(let id): callback(id) { $0.homeDidUpdateAccessControl(forCurrentUser: $1) }
        case .added(let home, let part): addedCallback(part, of: home)
        case .removed(let home, let part): removedCallback(part, of: home)
        case .renamed(let home, let part): renamedCallback(part, of: home)
        case .roomInZone(let home, let zone, let room, let isAdded):
            callback(home, self.zone(zone, of: home), self.room(room, of: home)) { delegate, home, zone, room in
                isAdded ? delegate.home(home, didAdd: room, to: zone) : delegate.home(home, didRemove: room, from: zone)
            }
        case .serviceInGroup(let home, let group, let service, let isAdded):
            callback(home, self.group(group, of: home), self.service(service, of: home)) {
                delegate,
                home,
                group,
                service in
                isAdded
                    ? delegate.home(home, didAdd: service, to: group)
                    : delegate.home(home, didRemove: service, from: group)
            }
        case .actions(let home, let scene):
            callback(home, self.scene(scene, of: home)) { $0.home($1, didUpdateActionsFor: $2) }
        case .trigger(let home, let trigger):
            callback(home, self.trigger(trigger, of: home)) { $0.home($1, didUpdate: $2) }
        case .moved(let home, let id):
            accessory(id, of: home)
                .flatMap { accessory in
                    callback(home, accessory.room, accessory) { $0.home($1, didUpdate: $2, for: $3) }
                }
        case .services(let home, let id): accessoryCallback(id, of: home) { $0.accessoryDidUpdateServices($1) }
        case .serviceName(let home, let id, let service):
            serviceCallback(service, of: id, home) { $0.accessory($1, didUpdateNameFor: $2) }
        case .associatedType(let home, let id, let service):
            serviceCallback(service, of: id, home) { $0.accessory($1, didUpdateAssociatedServiceTypeFor: $2) }
        case .reachability(let home, let id):
            reachabilityCallback(id, of: home)
        case .value(let place): valueCallback(place)
        }
    }

    private func homeCallback(
        _ id: ObjectID<Home>,
        _ call: @escaping (any HMHomeManagerDelegate, HMHomeManager, HMHome) -> Void
    ) -> (() -> Void)? {
        guard let manager, let home = home(id) else { return nil }
        return { if let delegate = manager.delegate { call(delegate, manager, home) } }
    }

    private func callback(
        _ id: ObjectID<Home>,
        _ call: @escaping (any HMHomeDelegate, HMHome) -> Void
    ) -> (() -> Void)? {
        guard let home = home(id) else { return nil }
        return { if let delegate = home.delegate { call(delegate, home) } }
    }

    private func callback<Object>(
        _ id: ObjectID<Home>,
        _ object: Object?,
        _ call: @escaping (any HMHomeDelegate, HMHome, Object) -> Void
    ) -> (() -> Void)? {
        guard let object else { return nil }
        return callback(id) { call($0, $1, object) }
    }

    private func callback<First, Second>(
        _ id: ObjectID<Home>,
        _ first: First?,
        _ second: Second?,
        _ call: @escaping (any HMHomeDelegate, HMHome, First, Second) -> Void
    ) -> (() -> Void)? {
        guard let first, let second else { return nil }
        return callback(id) { call($0, $1, first, second) }
    }

    private func addedCallback(_ part: ObjectChange.Object, of home: ObjectID<Home>) -> (() -> Void)? {
        switch part {
        case .room(let id): callback(home, room(id, of: home)) { $0.home($1, didAdd: $2) }
        case .zone(let id): callback(home, zone(id, of: home)) { $0.home($1, didAdd: $2) }
        case .group(let id): callback(home, group(id, of: home)) { $0.home($1, didAdd: $2) }
        case .scene(let id): callback(home, scene(id, of: home)) { $0.home($1, didAdd: $2) }
        case .trigger(let id): callback(home, trigger(id, of: home)) { $0.home($1, didAdd: $2) }
        case .accessory(let id): callback(home, accessory(id, of: home)) { $0.home($1, didAdd: $2) }
        case .user(let id): callback(home, user(id, of: home)) { $0.home($1, didAdd: $2) }
        }
    }

    private func removedCallback(_ part: ObjectChange.Object, of home: ObjectID<Home>) -> (() -> Void)? {
        switch part {
        case .room(let id): callback(home, room(id, of: home)) { $0.home($1, didRemove: $2) }
        case .zone(let id): callback(home, zone(id, of: home)) { $0.home($1, didRemove: $2) }
        case .group(let id): callback(home, group(id, of: home)) { $0.home($1, didRemove: $2) }
        case .scene(let id): callback(home, scene(id, of: home)) { $0.home($1, didRemove: $2) }
        case .trigger(let id): callback(home, trigger(id, of: home)) { $0.home($1, didRemove: $2) }
        case .accessory(let id): callback(home, accessory(id, of: home)) { $0.home($1, didRemove: $2) }
        case .user(let id): callback(home, user(id, of: home)) { $0.home($1, didRemove: $2) }
        }
    }

    private func renamedCallback(_ part: ObjectChange.Object, of home: ObjectID<Home>) -> (() -> Void)? {
        switch part {
        case .room(let id): callback(home, room(id, of: home)) { $0.home($1, didUpdateNameFor: $2) }
        case .zone(let id): callback(home, zone(id, of: home)) { $0.home($1, didUpdateNameFor: $2) }
        case .group(let id): callback(home, group(id, of: home)) { $0.home($1, didUpdateNameFor: $2) }
        case .scene(let id): callback(home, scene(id, of: home)) { $0.home($1, didUpdateNameFor: $2) }
        case .trigger(let id): callback(home, trigger(id, of: home)) { $0.home($1, didUpdateNameFor: $2) }
        case .accessory(let id): accessoryCallback(id, of: home) { $0.accessoryDidUpdateName($1) }
        case .user: nil
        }
    }

    private func accessoryCallback(
        _ id: ObjectID<HomeAccessory>,
        of home: ObjectID<Home>,
        _ call: @escaping (any HMAccessoryDelegate, HMAccessory) -> Void
    ) -> (() -> Void)? {
        guard let accessory = accessory(id, of: home) else { return nil }
        return { if let delegate = accessory.delegate { call(delegate, accessory) } }
    }

    private func reachabilityCallback(_ id: ObjectID<HomeAccessory>, of home: ObjectID<Home>) -> (() -> Void)? {
        guard let accessory = accessory(id, of: home) else { return nil }
        if !accessory.isReachable { accessory.disableNotifications() }
        return { accessory.delegate?.accessoryDidUpdateReachability(accessory) }
    }

    private func serviceCallback(
        _ id: ObjectID<HomeService>,
        of accessory: ObjectID<HomeAccessory>,
        _ home: ObjectID<Home>,
        _ call: @escaping (any HMAccessoryDelegate, HMAccessory, HMService) -> Void
    ) -> (() -> Void)? {
        guard let service = service(id, of: home) else { return nil }
        return accessoryCallback(accessory, of: home) { call($0, $1, service) }
    }

    private func valueCallback(_ place: HomeKitCore.CharacteristicLocation) -> (() -> Void)? {
        guard let accessory = accessory(place.accessory, of: place.home), accessory.delegate != nil,
            let service = service(place.selector.service, of: place.home),
            let characteristic = characteristic(place.selector, of: place.home)
        else { return nil }
        let isFirmware = place.selector.type == .firmwareRevision
        guard isFirmware || characteristic.isNotificationEnabled else { return nil }
        return {
            guard let delegate = accessory.delegate else { return }
            if isFirmware { delegate.accessory(accessory, didUpdateFirmwareVersion: accessory.firmwareVersion ?? "") }
            guard characteristic.isNotificationEnabled else { return }
            delegate.accessory(accessory, service: service, didUpdateValueFor: characteristic)
        }
    }
}
