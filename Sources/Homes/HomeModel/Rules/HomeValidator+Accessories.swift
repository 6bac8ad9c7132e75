internal import AccessoryModel
internal import HAPCore

extension HomeValidator {
    mutating func checkAccessories(_ index: HomeIndex) {
        var references: [AccessoryReference: ObjectName] = [:]
        for accessory in home.accessories {
            let place = path(accessory.name)
            check(accessory.room, at: place, index)
            if let reference = accessory.reference,
                let other = references.updateValue(accessory.name, forKey: reference)
            {
                report(.accessoryTwice(reference, "this home, as \(other)", at: place))
            }
            if let id = accessory.bridge, let error = accessory.violation(bridge: index.accessory(id), at: place) {
                report(error)
            }
            var iids: Set<InstanceID> = []
            // In some real devices, a service and one of its characteristics have the same instance ID. Only
            // characteristics are addressed, so only their IDs must be unique.
            let instances = accessory.services.lazy.flatMap(\.characteristics).map(\.iid)
            for iid in instances.compactMap(\.self) where !iids.insert(iid).inserted {
                report(.instanceTwice(at: place))
            }
            for service in accessory.services {
                check(service, at: "\(place)/\(service.name)", index)
            }
        }
    }

    private mutating func check(_ service: HomeService, at place: String, _ index: HomeIndex) {
        if let room = service.room {
            check(room, at: place, index)
        }
        if let type = service.associatedType, !AssociatedTypes.allows(type, for: service.type) {
            report(.disallowedAssociatedType(type, at: place))
        }
        var types: Set<CharacteristicType> = []
        for characteristic in service.characteristics where !types.insert(characteristic.type).inserted {
            report(HomeError(.characteristicTwice, at: place, "It has \(characteristic.displayName) twice."))
        }
    }

    private mutating func check(_ room: ObjectID<Room>, at place: String, _ index: HomeIndex) {
        if index.room(room) == nil { report(.unknown("room", "\(room)", at: place)) }
    }
}

extension HomeAccessory {
    /// Returns the rule that a bridge breaks as the bridge of this accessory, or `nil` if it breaks none.
    func violation(bridge: HomeAccessory?, at place: String) -> HomeError? {
        guard let bridge else {
            return HomeError(.bridge, at: place, "Its bridge is not in the home.")
        }
        guard bridge.id != id, bridge.bridge == nil else {
            return HomeError(.bridge, at: place, "\(bridge.name) is behind a bridge itself.")
        }
        if let own = reference?.server, let other = bridge.reference?.server, own != other {
            return HomeError(
                .bridge,
                at: place,
                "The bridge \(bridge.name) has the device ID \(other), but this accessory belongs to the server \(own)."
            )
        }
        return nil
    }
}
