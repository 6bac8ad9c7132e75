internal import AccessoryModel
internal import HAPCore

extension HomeValidator {
    mutating func checkAccessories() {
        var references: Set<AccessoryReference> = []
        let accessories = home.accessories.byID
        for accessory in home.accessories {
            let place = path(accessory.name)
            check(accessory.room, at: place)
            if let reference = accessory.reference, !references.insert(reference).inserted {
                report(.accessoryTwice(reference, "this home", at: place))
            }
            if let id = accessory.bridge, let error = accessory.violation(bridge: accessories[id], at: place) {
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
                check(service, at: "\(place)/\(service.name)")
            }
        }
    }

    private mutating func check(_ service: HomeService, at place: String) {
        if let room = service.room {
            check(room, at: place)
        }
        if let type = service.associatedType, !AssociatedTypes.allows(type, for: service.type) {
            report(.disallowedAssociatedType(type, at: place))
        }
        var types: Set<CharacteristicType> = []
        for characteristic in service.characteristics where !types.insert(characteristic.type).inserted {
            report(.characteristicTwice(characteristic.displayName, at: place))
        }
    }

    private mutating func check(_ room: ObjectID<Room>, at place: String) {
        if room != .entireHome, !rooms.contains(room) {
            report(.unknown("room", "\(room)", at: place))
        }
    }
}

extension HomeAccessory {
    /// Returns the rule that a bridge breaks as the bridge of this accessory, or `nil` if it breaks none.
    func violation(bridge: HomeAccessory?, at place: String) -> HomeError? {
        guard let bridge else {
            return .bridge("Its bridge is not in the home.", at: place)
        }
        guard bridge.id != id, bridge.bridge == nil else {
            return .bridge("\(bridge.name) is behind a bridge itself.", at: place)
        }
        if let own = reference?.server, let other = bridge.reference?.server, own != other {
            return .bridge(
                "The bridge \(bridge.name) has the device ID \(other), but this accessory belongs to the server \(own).",
                at: place
            )
        }
        return nil
    }
}
