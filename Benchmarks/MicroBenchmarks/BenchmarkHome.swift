import AccessoryModel
import HAPCore
import HomeModel
import TestSupport

/// A home with 1,000 lamps, a light sensor, and an automation for each lamp.
enum BenchmarkHome {
    /// The number of lamps and of automations.
    static let count = 1_000
    /// A winter evening that stays dark for longer than a benchmark takes.
    static let night = WallInstant(seconds: 1_797_904_800)
    /// The light sensor's value.
    static let lightLevel = CharacteristicSelector(
        service: ObjectID(UInt64(1_000 + count)),
        type: .currentAmbientLightLevel
    )

    /// Returns the selector of the characteristic On of a lamp.
    static func on(_ lamp: Int) -> CharacteristicSelector {
        CharacteristicSelector(service: ObjectID(UInt64(1_000 + lamp)), type: .on)
    }

    /// Returns the home.
    ///
    /// - Parameter trigger: Returns the trigger of a lamp's automation.
    static func home(trigger: (Int) -> Trigger<HomeIDs>) throws -> Home {
        var home = Home(id: ObjectID(1), name: try ObjectName("Home"), nextID: 999)
        home.setPlace(GeographicPlace(latitude: 50.11, longitude: 8.68))
        let services =
            (0..<count).map { service(UInt64(10 * $0 + 10), "Lamp \($0)", .lightbulb, [.on, .brightness]) }
            + [service(9, "Sensor", .lightSensor, [.currentAmbientLightLevel])]
        // The accessory gets the id 999, and its services get the ids from 1,000 on.
        _ = try home.addAccessory(RemoteAccessory(named: nil, services: services))
        for lamp in 0..<count {
            let brightness = CharacteristicSelector(service: on(lamp).service, type: .brightness)
            let name = try ObjectName("Automation \(lamp)")
            _ = try home.addAutomation { id in
                Automation(
                    id: id,
                    name: name,
                    rule: AutomationRule(
                        triggers: [trigger(lamp)],
                        condition: .time(from: .sun(.sunset, offset: .zero), to: .sun(.sunrise, offset: .zero)),
                        targets: AutomationTargets<HomeIDs>(ownActions: [
                            HomeAction(characteristic: brightness, value: 100)
                        ]),
                        end: EndEvent<HomeIDs>(
                            .after(.seconds(300)),
                            .actions([HomeAction(characteristic: brightness, value: 10)])
                        )
                    )
                )
            }
        }
        return home
    }

    private static func service(_ number: UInt64, _ name: String, _ type: ServiceType, _ types: [CharacteristicType])
        -> RemoteService
    {
        RemoteService(
            named: name,
            type,
            iid: number,
            characteristics: types.enumerated()
                .map { RemoteCharacteristic(iid: 100_000 + 10 * number + UInt64($0), $1) }
        )
    }
}
