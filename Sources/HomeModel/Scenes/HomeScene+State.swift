public import AccessoryModel

extension HomeScene {
    /// Whether the scene is certainly off: one of its values is known and another.
    ///
    /// - Parameter value: The present value of a characteristic, `nil` when nobody knows.
    public func isOff(in home: Home, value: (CharacteristicSelector) -> CharacteristicValue?) -> Bool {
        content.actions.contains { action in
            guard let characteristic = home.characteristic(action.characteristic),
                characteristic.permissions.contains(.read), let present = value(action.characteristic)
            else { return false }
            return !characteristic.matches(target: action.value, current: present)
        }
    }

    /// Whether the scene is on: all of its values hold.
    ///
    /// What cannot be read does not count. A scene that sets nothing that can be read is not on, and neither is one of
    /// which a value is not known.
    ///
    /// - Parameter value: The present value of a characteristic, `nil` when nobody knows.
    public func isOn(in home: Home, value: (CharacteristicSelector) -> CharacteristicValue?) -> Bool {
        let services = Set(content.actions.lazy.map(\.characteristic.service))
        var known: [ObjectID<HomeService>: HomeService] = [:]
        for service in home.accessories.lazy.flatMap(\.services) where services.contains(service.id) {
            known[service.id] = service
        }
        var isAnyKnown = false
        for action in content.actions {
            guard let service = known[action.characteristic.service],
                let characteristic = service.characteristic(action.characteristic.type)
            else { return false }
            guard characteristic.permissions.contains(.read) else { continue }
            guard let present = value(action.characteristic),
                characteristic.matches(target: action.value, current: present)
            else { return false }
            isAnyKnown = true
        }
        return isAnyKnown
    }
}

extension HomeCharacteristic {
    /// Whether a present value is the one that an action sets, however either is written: `true` is 1, and a number is on
    /// its step.
    fileprivate func matches(target wanted: CharacteristicValue, current present: CharacteristicValue) -> Bool {
        guard let wanted = metadata.value(from: wanted, isStrict: false) else { return false }
        return wanted == metadata.value(from: present, isStrict: false) ?? present
    }
}
