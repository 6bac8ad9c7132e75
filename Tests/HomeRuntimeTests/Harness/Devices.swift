import AccessoryModel
import HAPCore
import HAPServer

/// The devices of the test house.
enum Devices {
    static let timed = CharacteristicType(HAPUUID(high: 0x2222_0000_0000_4000, low: 0x8000_0000_0000_0001))

    /// A bridge with two lamps and a lock.
    static let bridge: [Accessory] = [
        Accessory(key: "Bridge", services: [information("Bridge"), .protocolInformation()], aid: .primary),
        lamp("Reading Lamp"),
        lamp("Faulty Lamp"),
        Accessory(
            key: "Front Door",
            services: [
                information("Front Door"),
                Service(
                    .lockMechanism,
                    characteristics: [
                        Characteristic(cataloged: .name, value: "Front Door"),
                        Characteristic(cataloged: .lockCurrentState, value: 1),
                        Characteristic(
                            type: .lockTargetState,
                            permissions: [.read, .write, .events, .timedWrite],
                            metadata: CharacteristicMetadata(format: .uint8, minimum: 0, maximum: 1, step: 1),
                            value: 1
                        ),
                    ]
                ),
            ]
        ),
    ]

    /// A standalone accessory with a temperature sensor and a window sensor.
    static let sensor = [
        Accessory(
            key: "Sensor",
            services: [
                information("Sensor"),
                .protocolInformation(),
                Service(
                    .temperatureSensor,
                    characteristics: [
                        Characteristic(cataloged: .name, value: "Outside"),
                        Characteristic(cataloged: .currentTemperature, value: 20),
                    ]
                ),
                Service(
                    .contactSensor,
                    characteristics: [
                        Characteristic(cataloged: .name, value: "Window"),
                        Characteristic(cataloged: .contactSensorState, value: 0),
                    ]
                ),
            ],
            aid: .primary
        )
    ]

    /// The handler of the lamp that refuses every value.
    static let faults = [
        CharacteristicKey(
            accessory: "Faulty Lamp",
            service: ServiceKey(.lightbulb),
            type: .on
        ): CharacteristicHandler(onWrite: { _, _ in throw HandlerFailure(.unableToPerform) })
    ]

    private static func lamp(_ name: String) -> Accessory {
        Accessory(
            key: name,
            services: [
                information(name),
                Service(
                    .lightbulb,
                    characteristics: [
                        Characteristic(cataloged: .name, value: .string(name)),
                        Characteristic(cataloged: .on, value: false),
                        Characteristic(cataloged: .brightness, value: 50),
                    ]
                ),
            ]
        )
    }

    private static func information(_ name: String) -> Service {
        .accessoryInformation(
            name: name,
            manufacturer: "Example Works",
            model: "E-1",
            serialNumber: "E-0001",
            firmware: "1.0.0"
        )
    }
}
