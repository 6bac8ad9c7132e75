internal import AccessoryModel

/// What of a home is looked up at each event.
struct EngineIndex: Sendable {
    /// The automations, by their places, that a characteristic may set off, and what each holds its value to.
    private(set) var triggersByCharacteristic:
        [CharacteristicSelector: [(slot: Int, test: CharacteristicTest<CharacteristicValue>)]] =
            [:]
    /// Those that it may end.
    private(set) var endsByCharacteristic: [CharacteristicSelector: [Int]] = [:]
    /// Those that coming and going may set off.
    private(set) var presenceTriggers: [Int] = []
    /// What cannot be set, of the characteristics that are waited for.
    private(set) var readOnly: Set<CharacteristicSelector> = []
    /// The services.
    private(set) var services: [ObjectID<HomeService>: HomeService] = [:]
    /// The characteristics of each accessory.
    private(set) var servicesOfAccessory: [ObjectID<HomeAccessory>: [ObjectID<HomeService>]] = [:]

    /// Looks at a home.
    init(_ home: Home) {
        for accessory in home.accessories {
            servicesOfAccessory[accessory.id] = accessory.services.map(\.id)
            for service in accessory.services {
                services[service.id] = service
            }
        }
        for (slot, automation) in home.automations.enumerated() {
            for trigger in automation.triggers { add(trigger, slot) }
            switch automation.end?.timing {
            case .when(let selector, _), .whenThenAfter(let selector, _, _):
                endsByCharacteristic[selector, default: []].append(slot)
                recordReadOnly(selector)
            case .after, nil: break
            }
        }
    }

    /// Whether a home has a characteristic.
    func contains(_ selector: CharacteristicSelector) -> Bool {
        services[selector.service]?.characteristic(selector.type) != nil
    }

    private mutating func add(_ trigger: Trigger<HomeIDs>, _ slot: Int) {
        switch trigger {
        case .characteristic(let selector, let test):
            triggersByCharacteristic[selector, default: []].append((slot, test))
            recordReadOnly(selector)
        case .presence:
            if presenceTriggers.last != slot { presenceTriggers.append(slot) }
        case .timeOfDay, .calendar, .sun, .interval:
            break
        }
    }

    private mutating func recordReadOnly(_ selector: CharacteristicSelector) {
        if services[selector.service]?.characteristic(selector.type)?.permissions.contains(.write) == false {
            readOnly.insert(selector)
        }
    }
}
