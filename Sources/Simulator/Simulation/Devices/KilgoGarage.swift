package import AccessoryModel
package import HAPCore

/// The garage of `Kilgo Devices, Inc.`: a door and a light, as in Apple's sample app for home automation devices.
package enum KilgoGarage {
    /// The category that controllers show during pairing.
    package static let category = AccessoryCategory.garageDoorOpener

    /// The only characteristic of the garage that Apple does not define: the fade time of the light, in seconds.
    package static let fadeRate = CharacteristicType(HAPUUID(high: 0x7E53_6242_341C_4862, low: 0xBE90_272C_E15B_D633))

    /// Returns the accessory: aid 1, with the door closed and unsecured and the light off.
    ///
    /// - Parameters:
    ///   - number: The number of the garage, from 1. It is part of the serial number and, from 2 on, of the name.
    ///   - door: The travel times of the door and its lock.
    ///   - isSimulated: Whether the door and the light behave like devices; otherwise, values only change when written.
    package static func accessory(
        number: Int = 1,
        door: GarageDoor.Configuration = GarageDoor.Configuration(),
        isSimulated: Bool = true
    ) -> Accessory {
        let name = number == 1 ? name : "\(name) \(number)"
        let digits = String(number)
        return Accessory(
            key: name,
            services: [
                .accessoryInformation(
                    name: name,
                    manufacturer: "Kilgo Devices, Inc.",
                    model: "KG-100",
                    serialNumber: "KG100-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits,
                    firmware: "1.0.0"
                ),
                .protocolInformation(),
                doorService(behavior: isSimulated ? GarageDoor(door) : nil),
                lightService(behavior: isSimulated ? DimmableLight(.init(fadeRate: fadeRate)) : nil),
            ],
            aid: .primary
        )
    }

    /// The name of the first garage, for users and in the store.
    package static let name = "Kilgo Garage"

    private static func doorService(behavior: (any Behavior)?) -> Service {
        Service(
            .garageDoorOpener,
            characteristics: [
                Characteristic(cataloged: .name, value: "Garage Door"),
                Characteristic(cataloged: .currentDoorState, value: 1),
                Characteristic(cataloged: .targetDoorState, value: 1),
                Characteristic(cataloged: .obstructionDetected, value: false),
                Characteristic(cataloged: .lockCurrentState, value: 0),
                Characteristic(cataloged: .lockTargetState, value: 0),
            ],
            isPrimary: true,
            behavior: behavior
        )
    }

    private static func lightService(behavior: (any Behavior)?) -> Service {
        Service(
            .lightbulb,
            characteristics: [
                Characteristic(cataloged: .name, value: "Garage Light"),
                Characteristic(cataloged: .on, value: false),
                Characteristic(cataloged: .brightness, value: 100),
                Characteristic(cataloged: .hue, value: 0),
                Characteristic(cataloged: .saturation, value: 0),
                Characteristic(
                    type: fadeRate,
                    permissions: [.read, .write, .events],
                    metadata: CharacteristicMetadata(
                        format: .float,
                        unit: .seconds,
                        minimum: 0,
                        maximum: 10,
                        step: 0.5
                    ),
                    description: "Fade Rate",
                    value: 1
                ),
            ],
            behavior: behavior
        )
    }
}
