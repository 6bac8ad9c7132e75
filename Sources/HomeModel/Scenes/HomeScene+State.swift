public import AccessoryModel

extension HomeScene {
    /// Returns whether the scene is certainly off, because at least one known value differs from that of the scene.
    ///
    /// - Parameter value: Returns the current value of a characteristic, or `nil` if it is unknown.
    public func isOff(in home: Home, value: (CharacteristicSelector) -> CharacteristicValue?) -> Bool {
        content.actions.contains { action in
            guard let characteristic = home.characteristic(action.characteristic),
                characteristic.permissions.contains(.read), let present = value(action.characteristic)
            else { return false }
            return !characteristic.matches(target: action.value, current: present)
        }
    }

    /// Returns whether the scene is on, because all of its values are set.
    ///
    /// Characteristics that cannot be read are ignored. A scene is not on if it sets no readable characteristic, or if
    /// one of the values is unknown.
    ///
    /// - Parameter value: Returns the current value of a characteristic, or `nil` if it is unknown.
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
    /// Returns whether a current value equals the value of an action.
    ///
    /// Both are normalized first: `true` equals 1, and numbers are rounded to the step.
    fileprivate func matches(target wanted: CharacteristicValue, current present: CharacteristicValue) -> Bool {
        guard let wanted = metadata.value(from: wanted, isStrict: false) else { return false }
        return wanted == metadata.value(from: present, isStrict: false) ?? present
    }
}
