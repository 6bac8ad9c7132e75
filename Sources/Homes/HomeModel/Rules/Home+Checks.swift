internal import AccessoryModel

extension Home {
    /// Returns the rule that an action breaks, or `nil` if the action can be run.
    ///
    /// An action can be run if its service has the characteristic, the characteristic is writable, and it allows the
    /// value.
    ///
    /// - Parameter place: The path of the action, for the error.
    public func violation(of action: HomeAction, at place: String) -> HomeError? {
        Self.violation(of: action, on: service(action.characteristic.service), at: place)
    }

    /// Returns the rule that an action breaks on its service, which the caller has looked up.
    static func violation(of action: HomeAction, on service: HomeService?, at place: String) -> HomeError? {
        guard let service else {
            return .unknown("service", "\(action.characteristic.service)", at: place)
        }
        guard let characteristic = service.characteristic(action.characteristic.type) else {
            return .noSuchCharacteristic(action.characteristic.type, of: service.name.text, at: place)
        }
        guard characteristic.permissions.contains(.write) else {
            return .readOnlyCharacteristic(characteristic, of: service, at: place)
        }
        guard characteristic.metadata.value(from: action.value, isStrict: false) != nil else {
            return .invalidValue(action.value, of: characteristic, at: place)
        }
        return nil
    }

    /// Returns the rules that the actions of one scene, automation or end break.
    static func violations(
        of actions: [HomeAction],
        at place: String,
        in home: HomeIndex
    ) -> [HomeError] {
        var seen: Set<CharacteristicSelector> = []
        return actions.flatMap { action in
            let service = home.service(action.characteristic.service)
            var found = violation(of: action, on: service, at: place).map { [$0] } ?? []
            if !seen.insert(action.characteristic).inserted {
                let name = action.characteristic.type.description
                found.append(.duplicateAction(name, of: service?.name.text ?? "a service", at: place))
            }
            return found
        }
    }

    /// Returns whether a text can be the name of an IANA time zone.
    ///
    /// Such a name consists of parts of ASCII letters, digits, `_`, `-` and `+`, separated by `/`. This function cannot
    /// tell whether the time zone exists.
    static func canBeTimeZone(_ name: String) -> Bool {
        guard 1...HomeLimits.timeZoneBytes ~= name.utf8.count else { return false }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
                        true
                    default: false
                    }
                }
        }
    }
}
