package import AccessoryModel
internal import HAPCore

/// The objects of a home in the words of people who do not know characteristics, such as "turn on Garage Light".
package struct EverydayWords: HomeLookup, Sendable {
    private let home: any HomeLookup & Sendable

    package init(_ home: any HomeLookup & Sendable) {
        self.home = home
    }

    package func service(_ id: ObjectID<HomeService>) -> HomeService? { home.service(id) }
    package func accessory(of service: ObjectID<HomeService>) -> HomeAccessory? { home.accessory(of: service) }
    package func accessory(_ id: ObjectID<HomeAccessory>) -> HomeAccessory? { home.accessory(id) }
    package func room(_ id: ObjectID<Room>) -> Room? { home.room(id) }
    package func scene(_ id: ObjectID<HomeScene>) -> HomeScene? { home.scene(id) }
    package func automation(_ id: ObjectID<Automation>) -> Automation? { home.automation(id) }
    package func user(_ id: ObjectID<HomeUser>) -> HomeUser? { home.user(id) }

    /// What people call a characteristic, where Apple's name is technical.
    private static let names: [CharacteristicType: String] = [
        .currentTemperature: "temperature", .targetTemperature: "target temperature",
        .heatingThresholdTemperature: "temperature for heating",
        .coolingThresholdTemperature: "temperature for cooling",
        .currentHeatingCoolingState: "state", .targetHeatingCoolingState: "mode", .currentPosition: "position",
        .targetPosition: "position", .rotationSpeed: "speed", .currentRelativeHumidity: "humidity",
        .statusLowBattery: "battery", .currentAmbientLightLevel: "brightness",
    ]

    /// The states in which a device itself is, such as "closed", by characteristic and number.
    private static let states: [CharacteristicType: [String]] = [
        .on: ["off", "on"], .active: ["off", "on"],
        .currentDoorState: ["open", "closed", "opening", "closing", "stopped"], .targetDoorState: ["open", "closed"],
        .lockCurrentState: ["unlocked", "locked", "jammed", "in an unknown state"],
        .lockTargetState: ["unlocked", "locked"], .contactSensorState: ["closed", "open"],
        .securitySystemCurrentState: [
            "armed for being at home", "armed for being away", "armed for the night", "disarmed", "triggered",
        ],
        .securitySystemTargetState: [
            "armed for being at home", "armed for being away", "armed for the night", "disarmed",
        ],
    ]

    /// What a sensor reports, by characteristic and number.
    private static let reports: [CharacteristicType: [String]] = [
        .motionDetected: ["no motion", "motion"],
        .occupancyDetected: ["no presence", "presence"],
        .smokeDetected: ["no smoke", "smoke"], .leakDetected: ["no leak", "a leak"],
        .carbonMonoxideDetected: ["normal levels", "abnormal levels"],
        .carbonDioxideDetected: ["normal levels", "abnormal levels"],
        .obstructionDetected: ["no obstruction", "an obstruction"], .outletInUse: ["no use", "use"],
    ]

    /// What a write does to a device, by characteristic and number; the name of the device follows.
    private static let verbs: [CharacteristicType: [String]] = [
        .on: ["turn off", "turn on"], .active: ["turn off", "turn on"], .targetDoorState: ["open", "close"],
        .lockTargetState: ["unlock", "lock"],
    ]

    package func text(of selector: CharacteristicSelector) -> String {
        let service = service(selector.service)
        let name = service?.characteristic(selector.type)?.displayName ?? selector.type.description
        return "the \(Self.names[selector.type] ?? name.lowercased()) of \(self.name(of: selector))"
    }

    package func text(of action: HomeAction) -> String {
        let selector = action.characteristic
        let name = name(of: selector)
        if let verb = Self.verbs[selector.type]?.word(for: action.value) { return "\(verb) \(name)" }
        switch (selector.type, action.value.number?.double) {
        case (.targetPosition, 0): return "close \(name)"
        case (.targetPosition, 100): return "open \(name)"
        default: return "set \(text(of: selector)) to \(text(of: action.value, for: selector))"
        }
    }

    package func text(
        of test: CharacteristicTest<CharacteristicValue>,
        on selector: CharacteristicSelector,
        _ verb: TestVerb
    ) -> String {
        guard case .equals(let wanted) = test else {
            return home.text(of: test, on: selector, verb, named: text(of: selector))
        }
        let isSo = verb != .fails
        if let state = Self.states[selector.type]?.word(for: wanted) {
            let begins = state.hasSuffix("ing") ? "starts" : "becomes"
            return "\(name(of: selector)) \(verb == .begins ? begins : isSo ? "is" : "is not") \(state)"
        }
        if let report = Self.reports[selector.type]?.word(for: wanted) {
            return "\(name(of: selector)) \(isSo ? "reports" : "does not report") \(report)"
        }
        return home.text(of: test, on: selector, verb, named: text(of: selector))
    }

    private func name(of selector: CharacteristicSelector) -> String {
        service(selector.service)?.name.text ?? "a removed service"
    }
}

extension [String] {
    /// Returns the word for a value, or `nil` if it has none.
    fileprivate func word(for value: CharacteristicValue) -> String? {
        let number = value.bool.map { $0 ? 1 : 0 } ?? value.number.flatMap { Int(exactly: $0.double) }
        guard let number, indices.contains(number) else { return nil }
        return self[number]
    }
}
