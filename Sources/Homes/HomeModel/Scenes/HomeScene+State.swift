public import AccessoryModel

/// The state of a scene, as far as its values are known.
public struct SceneState: Sendable, Hashable {
    /// Whether all values of the scene apply, or `nil` if this is unknown.
    public let isOn: Bool?
    /// The readable characteristics whose values are unknown.
    public let unreadSelectors: [CharacteristicSelector]

    package init(isOn: Bool?, unread: [CharacteristicSelector]) {
        self.isOn = isOn
        self.unreadSelectors = unread
    }
}

extension HomeScene {
    /// Returns the state of the scene.
    ///
    /// The scene is on if all of its values are set, and off if one of them certainly differs. Characteristics that
    /// cannot be read are ignored; a scene that sets no readable one is off.
    ///
    /// - Parameter value: Returns the current value of a characteristic, or `nil` if it is unknown.
    public func state(in home: Home, value: (CharacteristicSelector) -> CharacteristicValue?) -> SceneState {
        let services = home.services(withIDs: content.actions.map(\.characteristic.service)).byID
        var (isSet, isMissing, isDifferent) = (false, false, false)
        var unread: [CharacteristicSelector] = []
        for action in content.actions {
            let selector = action.characteristic
            guard let characteristic = services[selector.service]?.characteristic(selector.type) else {
                isMissing = true
                continue
            }
            // A write-only characteristic does not show its value.
            guard characteristic.permissions.contains(.read) else { continue }
            guard let present = value(selector) else {
                unread.append(selector)
                continue
            }
            if characteristic.matches(target: action.value, current: present) {
                isSet = true
            } else {
                isDifferent = true
            }
        }
        let isKnown = unread.isEmpty || isDifferent
        return SceneState(isOn: isKnown ? isSet && !isMissing && !isDifferent : nil, unread: unread)
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
