public import AccessoryModel

extension HomeScene {
    /// Returns whether the scene is certainly off, because at least one known value differs from that of the scene.
    ///
    /// - Parameter value: Returns the current value of a characteristic, or `nil` if it is unknown.
    public func isOff(in home: Home, value: (CharacteristicSelector) -> CharacteristicValue?) -> Bool {
        let services = services(in: home)
        return content.actions.contains { action in
            guard let service = services[action.characteristic.service],
                let characteristic = service.characteristic(action.characteristic.type),
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
        let services = services(in: home)
        var isAnyKnown = false
        for action in content.actions {
            guard let service = services[action.characteristic.service],
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

    /// Returns the services that the scene sets, by their ids.
    private func services(in home: Home) -> [ObjectID<HomeService>: HomeService] {
        home.services(withIDs: content.actions.map(\.characteristic.service)).byID
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
