internal import AccessoryModel

/// Lookup tables of a home for the engine's events.
struct EngineIndex: Sendable {
    /// The automations, by index, that a characteristic may trigger, and the test of each trigger.
    private(set) var triggersByCharacteristic:
        [CharacteristicSelector: [(slot: Int, test: CharacteristicTest<CharacteristicValue>)]] =
            [:]
    /// The automations, by index, whose ends wait for a characteristic.
    private(set) var endsByCharacteristic: [CharacteristicSelector: [Int]] = [:]
    /// The automations, by index, with triggers for arrivals and departures.
    private(set) var presenceTriggers: [Int] = []
    /// The characteristics in triggers and ends that cannot be written.
    private(set) var readOnly: Set<CharacteristicSelector> = []
    /// The objects of the home.
    ///
    /// The actions of scenes are looked up when an automation runs, because a copy in each automation would take much
    /// memory.
    let objects: HomeIndex

    /// Creates the tables for a home.
    init(_ home: Home) {
        objects = HomeIndex(home)
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

    /// Returns whether the home has a characteristic.
    func contains(_ selector: CharacteristicSelector) -> Bool {
        objects.characteristic(selector) != nil
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
        if objects.characteristic(selector)?.permissions.contains(.write) == false {
            readOnly.insert(selector)
        }
    }
}
