public import AccessoryModel
internal import HAPCore

/// Something that is true of a service.
public enum ServiceFact: String, Sendable, Hashable, CaseIterable {
    case on, off, open, closed, locked, unlocked, armed, disarmed
    /// A sensor detects something, or an alarm has gone off.
    case triggered
    /// The battery is low.
    case lowBattery
    /// The accessory does not answer.
    case unreachable

    /// Whether the fact can be true of any service.
    var isGeneral: Bool { self == .lowBattery || self == .unreachable }

    /// The fact that is true if this one is not.
    var opposite: ServiceFact {
        switch self {
        case .on: .off
        case .off: .on
        case .open: .closed
        case .closed: .open
        case .locked: .unlocked
        case .unlocked: .locked
        case .armed: .disarmed
        case .disarmed: .armed
        case .triggered, .lowBattery, .unreachable: self
        }
    }

    /// The fact in words.
    public var text: String {
        switch self {
        case .lowBattery: "low on battery"
        default: rawValue
        }
    }

    /// Returns the facts that can be true of a service, except the general ones.
    static func all(for service: HomeService) -> Set<ServiceFact> {
        service.characteristics.reduce(into: []) { facts, characteristic in
            facts.formUnion(StateCharacteristic.byType[characteristic.type]?.possible ?? [])
        }
    }
}

/// The state of a service in facts and words, from the values of its characteristics.
public struct ServiceStatus: Sendable, Hashable {
    /// The id of the service.
    public let service: ObjectID<HomeService>
    /// What is true of the service.
    public let facts: Set<ServiceFact>
    /// The state in words, such as `on, 40 %`.
    public let text: String

    /// Returns the characteristics of a service that its status needs.
    public static func selectors(of service: HomeService) -> [CharacteristicSelector] {
        StateCharacteristic.all.map(\.type)
            .filter { service.characteristic($0)?.permissions.contains(.read) == true }
            .map { CharacteristicSelector(service: service.id, type: $0) }
    }

    /// Derives the status of a service.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - values: The values that could be read.
    public init(of service: HomeService, _ values: [CharacteristicSelector: CharacteristicValue]) {
        self.service = service.id
        func value(_ type: CharacteristicType) -> CharacteristicValue? {
            values[CharacteristicSelector(service: service.id, type: type)]
        }
        let wanted = Self.selectors(of: service)
        var facts: Set<ServiceFact> = []
        if !wanted.isEmpty, wanted.allSatisfy({ values[$0] == nil }) { facts.insert(.unreachable) }
        for selector in wanted {
            guard let value = values[selector] else { continue }
            let number = value.number?.double ?? (value.bool == true ? 1 : 0)
            facts.formUnion(StateCharacteristic.byType[selector.type]?.facts(number) ?? [])
        }
        self.facts = facts
        // A thermostat follows its thresholds in the automatic mode, and its target otherwise.
        let isAutomatic = value(.targetHeatingCoolingState) == 3 && value(.heatingThresholdTemperature) != nil
        let unused: [CharacteristicType] =
            isAutomatic ? [.targetTemperature] : [.heatingThresholdTemperature, .coolingThresholdTemperature]
        text =
            facts.contains(.unreachable)
            ? "unreachable"
            : wanted.filter { !unused.contains($0.type) }
                .compactMap { selector in
                    value(selector.type).flatMap { Self.text(of: $0, selector.type, of: service, facts) }
                }
                .joined(separator: ", ")
    }

    /// Returns the words for a value, or `nil` if they say nothing.
    private static func text(
        of value: CharacteristicValue,
        _ type: CharacteristicType,
        of service: HomeService,
        _ facts: Set<ServiceFact>
    ) -> String? {
        guard let known = StateCharacteristic.byType[type], !known.needsPower || !facts.contains(.off) else {
            return nil
        }
        let words = CharacteristicDescription(type, service.characteristic(type)?.metadata).words(for: value)
        return known.text(words, value.bool ?? (value.number.map { $0 != 0 } ?? false))
    }
}

/// A characteristic that tells the state of a service.
private struct StateCharacteristic: Sendable {
    let type: CharacteristicType
    /// The facts that it can tell, except the general ones.
    var possible: Set<ServiceFact> = []
    /// Returns what is true at a number, which is 1 for `true` and 0 for `false`.
    var facts: @Sendable (Double) -> Set<ServiceFact> = { _ in [] }
    /// Whether its value says nothing about a service that is off.
    var needsPower = false
    /// Returns the text for the words of a value, or `nil` if it says nothing.
    ///
    /// The second argument is `false` if the value is 0 or `false`.
    var text: @Sendable (String, Bool) -> String? = { words, _ in words }

    /// All of them, in the order in which they are shown.
    static let all: [StateCharacteristic] = [
        StateCharacteristic(type: .on, possible: [.on, .off], facts: { $0 == 0 ? [.off] : [.on] }),
        StateCharacteristic(
            type: .active,
            possible: [.on, .off],
            facts: { $0 == 0 ? [.off] : [.on] },
            text: { _, isSet in isSet ? "on" : "off" }
        ),
        StateCharacteristic(
            type: .currentDoorState,
            possible: [.open, .closed],
            facts: { $0 == 1 ? [.closed] : [.open] },
            text: { words, _ in words.lowercased() }
        ),
        StateCharacteristic(type: .obstructionDetected, text: { _, isSet in isSet ? "obstructed" : nil }),
        StateCharacteristic(
            type: .lockCurrentState,
            possible: [.locked, .unlocked],
            // A jammed lock does not protect, so it counts as unlocked; its text says that it is jammed.
            facts: { $0 > 2 ? [] : $0 == 1 ? [.locked] : [.unlocked] },
            text: { words, _ in words.lowercased() }
        ),
        StateCharacteristic(
            type: .currentPosition,
            possible: [.open, .closed],
            facts: { $0 > 0 ? [.open] : [.closed] },
            text: { words, isSet in isSet ? "open \(words)" : "closed" }
        ),
        StateCharacteristic(type: .brightness, needsPower: true),
        StateCharacteristic(type: .rotationSpeed, needsPower: true),
        StateCharacteristic(type: .currentTemperature),
        StateCharacteristic(type: .targetHeatingCoolingState, text: { words, _ in words.lowercased() }),
        StateCharacteristic(type: .targetTemperature, text: { words, _ in "target \(words)" }),
        StateCharacteristic(type: .heatingThresholdTemperature, text: { words, _ in "heats below \(words)" }),
        StateCharacteristic(type: .coolingThresholdTemperature, text: { words, _ in "cools above \(words)" }),
        StateCharacteristic(type: .currentRelativeHumidity),
        StateCharacteristic(
            type: .securitySystemCurrentState,
            possible: [.armed, .disarmed, .triggered],
            facts: { $0 == 3 ? [.disarmed] : $0 == 4 ? [.armed, .triggered] : [.armed] },
            text: { words, _ in words.lowercased() }
        ),
        sensor(.motionDetected, "motion", "no motion"),
        sensor(.occupancyDetected, "occupied", "not occupied"),
        sensor(.smokeDetected, "smoke", "no smoke"),
        sensor(.leakDetected, "leak", "no leak"),
        sensor(.carbonMonoxideDetected, "abnormal level", "normal level"),
        sensor(.carbonDioxideDetected, "abnormal level", "normal level"),
        StateCharacteristic(
            type: .contactSensorState,
            possible: [.open, .closed],
            facts: { $0 == 0 ? [.closed] : [.open] },
            text: { _, isSet in isSet ? "open" : "closed" }
        ),
        StateCharacteristic(type: .airQuality, text: { words, _ in "air \(words.lowercased())" }),
        StateCharacteristic(type: .currentAmbientLightLevel),
        StateCharacteristic(type: .batteryLevel, text: { words, _ in "battery \(words)" }),
        StateCharacteristic(
            type: .statusLowBattery,
            facts: { $0 == 0 ? [] : [.lowBattery] },
            text: { _, isSet in isSet ? "battery low" : nil }
        ),
    ]

    /// ``all`` by type.
    static let byType: [CharacteristicType: StateCharacteristic] = all.keyed(by: \.type, \.self)

    /// Returns the characteristic of a sensor that detects something, or an abnormal level.
    private static func sensor(_ type: CharacteristicType, _ detected: String, _ nothing: String) -> Self {
        StateCharacteristic(
            type: type,
            possible: [.triggered],
            facts: { $0 == 0 ? [] : [.triggered] },
            text: { _, isSet in isSet ? detected : nothing }
        )
    }
}
