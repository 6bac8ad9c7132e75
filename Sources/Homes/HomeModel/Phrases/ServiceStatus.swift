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
            switch characteristic.type {
            case .on, .active: facts.formUnion([.on, .off])
            case .currentDoorState, .contactSensorState: facts.formUnion([.open, .closed])
            case .currentPosition: facts.formUnion([.open, .closed])
            case .lockCurrentState: facts.formUnion([.locked, .unlocked])
            case .securitySystemCurrentState: facts.formUnion([.armed, .disarmed, .triggered])
            case .motionDetected, .occupancyDetected, .smokeDetected, .leakDetected, .carbonMonoxideDetected,
                .carbonDioxideDetected:
                facts.insert(.triggered)
            default: break
            }
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

    /// The characteristics that tell the state, in the order in which they are shown.
    private static let shownTypes: [CharacteristicType] = [
        .on, .active, .currentDoorState, .obstructionDetected, .lockCurrentState, .currentPosition, .brightness,
        .rotationSpeed, .currentTemperature, .targetHeatingCoolingState, .targetTemperature,
        .heatingThresholdTemperature, .coolingThresholdTemperature, .currentRelativeHumidity,
        .securitySystemCurrentState, .motionDetected, .occupancyDetected, .smokeDetected, .leakDetected,
        .carbonMonoxideDetected, .carbonDioxideDetected, .contactSensorState, .airQuality, .currentAmbientLightLevel,
        .batteryLevel, .statusLowBattery,
    ]

    /// Returns the characteristics of a service that its status needs.
    public static func selectors(of service: HomeService) -> [CharacteristicSelector] {
        shownTypes.filter { service.characteristic($0)?.permissions.contains(.read) == true }
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
        for type in wanted.map(\.type) {
            guard let value = value(type) else { continue }
            let number = value.number?.double ?? (value.bool == true ? 1 : 0)
            switch type {
            case .on, .active: facts.insert(number != 0 ? .on : .off)
            case .currentDoorState: facts.insert(number == 1 ? .closed : .open)
            case .contactSensorState: facts.insert(number == 0 ? .closed : .open)
            case .currentPosition: facts.insert(number > 0 ? .open : .closed)
            // A jammed lock does not protect, so it counts as unlocked; its text says that it is jammed.
            case .lockCurrentState where number <= 2: facts.insert(number == 1 ? .locked : .unlocked)
            case .securitySystemCurrentState:
                facts.insert(number == 3 ? .disarmed : .armed)
                if number == 4 { facts.insert(.triggered) }
            case .motionDetected, .occupancyDetected, .smokeDetected, .leakDetected, .carbonMonoxideDetected,
                .carbonDioxideDetected:
                if number != 0 { facts.insert(.triggered) }
            case .statusLowBattery: if number != 0 { facts.insert(.lowBattery) }
            default: break
            }
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
        let text = CharacteristicDescription(type, service.characteristic(type)?.metadata).words(for: value)
        let isSet = value.bool ?? (value.number.map { $0 != 0 } ?? false)
        switch type {
        case .active: return isSet ? "on" : "off"
        case .brightness, .rotationSpeed: return facts.contains(.off) ? nil : text
        case .obstructionDetected: return isSet ? "obstructed" : nil
        case .currentDoorState, .lockCurrentState, .securitySystemCurrentState: return text.lowercased()
        case .currentPosition: return isSet ? "open \(text)" : "closed"
        case .contactSensorState: return isSet ? "open" : "closed"
        case .targetTemperature: return "target \(text)"
        case .heatingThresholdTemperature: return "heats below \(text)"
        case .coolingThresholdTemperature: return "cools above \(text)"
        case .targetHeatingCoolingState: return text.lowercased()
        case .motionDetected: return isSet ? "motion" : "no motion"
        case .occupancyDetected: return isSet ? "occupied" : "not occupied"
        case .smokeDetected: return isSet ? "smoke" : "no smoke"
        case .leakDetected: return isSet ? "leak" : "no leak"
        case .carbonMonoxideDetected, .carbonDioxideDetected: return isSet ? "abnormal level" : "normal level"
        case .airQuality: return "air \(text.lowercased())"
        case .batteryLevel: return "battery \(text)"
        case .statusLowBattery: return isSet ? "battery low" : nil
        default: return text
        }
    }
}
