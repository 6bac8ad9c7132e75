import AccessoryModel
import HAPServer
import Testing

/// A declaration that the compiler takes and the server does not.
struct Misuse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let accessory: HAPAccessory
    /// What the server says, in its order.
    let faults: [String]

    static let all: [Misuse] = characteristics + services + accessories

    private static let characteristics = [
        Misuse(
            "an integer for a float",
            in: .lightbulb,
            faults: [
                "Lamp/Light Bulb/Hue: its format is float, which Int does not hold; declare it with a Double, such as 0.0."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.hue, 0)
        },
        Misuse(
            "a value out of range",
            in: .lightbulb,
            faults: [
                "Lamp/Light Bulb/Brightness: 101 is not a value of this characteristic; see its format and range."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.brightness, 101)
        },
        Misuse(
            "no number",
            in: .lightbulb,
            faults: [
                "Lamp/Light Bulb/Hue: nan is not a value of a characteristic; write a finite number."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.hue, Double.nan)
        },
        Misuse(
            "a closure that nobody calls",
            in: .temperatureSensor,
            faults: [
                "Lamp/Temperature Sensor/Current Temperature: no controller may write it, so onWrite is never called; "
                    + "tell its value with server.set."
            ]
        ) {
            HAPCharacteristic(.currentTemperature, 20.0).onWrite { _ in }
        },
        Misuse(
            "an enumeration without a valid value",
            in: .securitySystem,
            faults: [
                "Lamp/Security System/Security System Target State: a controller may write 2, which DoorState does not "
                    + "hold; take a type that does."
            ]
        ) {
            HAPCharacteristic(.securitySystemCurrentState, 1)
            HAPCharacteristic(.securitySystemTargetState, DoorState.closed).onWrite { _ in }
        },
        Misuse(
            "no first value",
            in: .switch,
            faults: [
                "Lamp/Switch/On: it can be read and has no value; declare the first one in place of its type."
            ]
        ) {
            HAPCharacteristic(.on, of: Bool.self)
        },
        Misuse(
            "no UUID",
            in: .switch,
            faults: [
                "Lamp/Switch/Speed: \"speed\" is not a UUID; write 36 characters as uuidgen prints them."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(custom: "speed", "Speed", 1)
        },
        Misuse(
            "a text among the valid values",
            in: .switch,
            faults: [
                "Lamp/Switch/Name: only numbers can be listed as valid values; leave validValues away."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.name, "x", validValues: ["x"])
        },
        Misuse(
            "a characteristic too few",
            in: .switch,
            faults: [
                "Lamp/Switch/On: every such service has this characteristic; add it."
            ]
        ) {
            HAPCharacteristic(.name, "x")
        },
        Misuse(
            "a characteristic twice",
            in: .switch,
            faults: [
                "Lamp/Switch/On: the service has this characteristic twice; remove one."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.on, true)
        },
    ]

    private static let services = [
        Misuse(
            "two services of one type and key",
            faults: [
                "Lamp/Switch: two services of this type have one key; give each its own, such as key: \"left\"."
            ]
        ) {
            HAPService(.switch) { HAPCharacteristic(.on, false) }
            HAPService(.switch) { HAPCharacteristic(.on, false) }
        },
        Misuse(
            "one declaration in two places",
            faults: [
                "Lamp/Outlet/On: this declaration stands in another place, too; declare one for each."
            ]
        ) {
            let on = HAPCharacteristic(.on, false)
            HAPService(.switch) { on }
            HAPService(.outlet) {
                on
                HAPCharacteristic(.outletInUse, false)
            }
        },
        Misuse(
            "a link to nothing",
            faults: [
                "Lamp/Switch: it is linked to itself or to a service that the accessory does not have."
            ]
        ) {
            HAPService(.switch) { HAPCharacteristic(.on, false) }
                .linked(to: HAPService(.lightbulb) { HAPCharacteristic(.on, false) })
        },
        Misuse(
            "a service without a UUID",
            faults: [
                "Lamp/Mine: \"mine\" is not a UUID; write 36 characters as uuidgen prints them."
            ]
        ) {
            HAPService(custom: "mine", name: "Mine") { HAPCharacteristic(.on, false) }
        },
        Misuse(
            "no service",
            faults: [
                "Lamp: no service says what it does; add one, such as a Switch."
            ]
        ) {},
    ]

    private static let accessories = [
        Misuse(
            "an empty bridge",
            .bridge("Attic") {},
            faults: [
                "Attic: nothing is behind the bridge; declare an accessory in its braces."
            ]
        ),
        Misuse(
            "two accessories with one key",
            .bridge("Attic") {
                HAPAccessory("Lamp") { HAPService(.switch) { HAPCharacteristic(.on, false) } }
                HAPAccessory("Lamp") { HAPService(.switch) { HAPCharacteristic(.on, false) } }
            },
            faults: [
                "Lamp: two accessories have this key; give one another."
            ]
        ),
        Misuse(
            "a serial number that is too short",
            HAPAccessory("Lamp", serialNumber: "1") {
                HAPService(.switch) { HAPCharacteristic(.on, false) }
            },
            faults: [
                "Lamp/Accessory Information/Serial Number: its value is a text of 2 to 64 bytes in UTF-8."
            ]
        ),
        Misuse(
            "everything at once",
            HAPAccessory("Lamp", firmware: "new") {
                HAPService(.lightbulb) { HAPCharacteristic(.hue, 0) }
            },
            faults: [
                "Lamp/Light Bulb/Hue: its format is float, which Int does not hold; declare it with a Double, such as 0.0.",
                "Lamp/Accessory Information/Firmware Revision: its value is a version as x, x.y or x.y.z, with numbers "
                    + "below 4294967296.",
                "Lamp/Light Bulb/On: every such service has this characteristic; add it.",
            ]
        ),
    ]

    private init(_ testDescription: String, _ accessory: HAPAccessory, faults: [String]) {
        self.testDescription = testDescription
        self.accessory = accessory
        self.faults = faults
    }

    private init(
        _ testDescription: String,
        in service: ServiceType,
        faults: [String],
        @DeclarationBuilder<AnyHAPCharacteristic> characteristics: () -> [AnyHAPCharacteristic]
    ) {
        self.init(testDescription, faults: faults) { HAPService(service, characteristics: characteristics) }
    }

    private init(
        _ testDescription: String,
        faults: [String],
        @DeclarationBuilder<HAPService> services: () -> [HAPService]
    ) {
        self.init(testDescription, HAPAccessory("Lamp", services: services), faults: faults)
    }
}
