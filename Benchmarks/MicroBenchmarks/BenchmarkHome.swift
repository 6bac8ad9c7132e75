import AccessoryModel
import HomeModel

/// A home with 1,000 lamps, a thermometer, and an automation for each lamp.
enum BenchmarkHome {
    /// How many lamps and automations.
    static let count = 1_000
    /// An evening in winter, when it is dark for longer than a benchmark takes.
    static let night = WallInstant(seconds: 1_797_904_800)
    /// The thermometer's value.
    static let temperature = CharacteristicSelector(service: ObjectID(9_999), type: .currentTemperature)

    /// Whether a lamp is on.
    static func on(_ lamp: Int) -> CharacteristicSelector {
        CharacteristicSelector(service: ObjectID(UInt64(1_000 + lamp)), type: .on)
    }

    /// The home, with what the automation of each lamp waits for.
    static func home(trigger: (Int) -> Trigger<HomeIDs>) throws -> Home {
        Home(
            id: ObjectID(1),
            name: try ObjectName("Home"),
            accessories: [
                HomeAccessory(
                    id: ObjectID(2),
                    name: try ObjectName("Bridge"),
                    services: try (0..<count)
                        .map { try service(UInt64(1_000 + $0), "Lamp \($0)", .lightbulb, [.on, .brightness]) } + [
                            try service(9_999, "Thermometer", .temperatureSensor, [.currentTemperature])
                        ]
                )
            ],
            automations: try (0..<count)
                .map { lamp in
                    let brightness = CharacteristicSelector(service: on(lamp).service, type: .brightness)
                    return Automation(
                        id: ObjectID(UInt64(3_000 + lamp)),
                        name: try ObjectName("Automation \(lamp)"),
                        rule: AutomationRule(
                            triggers: [trigger(lamp)],
                            condition: .time(from: .sun(.sunset, offset: .zero), to: .sun(.sunrise, offset: .zero)),
                            targets: AutomationTargets<HomeIDs>(own: [
                                HomeAction(characteristic: brightness, value: 100)
                            ]),
                            end: EndEvent<HomeIDs>(
                                .after(.seconds(300)),
                                .actions([HomeAction(characteristic: brightness, value: 10)])
                            )
                        )
                    )
                },
            place: GeographicPlace(latitude: 50.11, longitude: 8.68)
        )
    }

    private static func service(_ number: UInt64, _ name: String, _ type: ServiceType, _ types: [CharacteristicType])
        throws -> HomeService
    {
        HomeService(
            id: ObjectID(number),
            name: try ObjectName(name),
            type: type,
            characteristics: types.compactMap(Catalogue.characteristic)
                .map { HomeCharacteristic(type: $0.type, permissions: $0.permissions, metadata: $0.metadata) }
        )
    }
}
