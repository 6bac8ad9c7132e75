import AccessoryModel
import HAPServer
import Testing

/// A declaration that compiles, but that the server refuses.
struct InvalidDeclaration: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let accessory: HAPAccessory
    /// The server's messages, in order.
    let messages: [String]

    static let all: [InvalidDeclaration] = characteristics + services + accessories

    private static let characteristics = [
        InvalidDeclaration(
            "an integer for a float",
            in: .lightbulb,
            messages: [
                "Lamp/Light Bulb/Hue: its format is float, which Int cannot represent; declare it with a Double, "
                    + "such as 0.0."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.hue, 0)
        },
        InvalidDeclaration(
            "a value out of range",
            in: .lightbulb,
            messages: [
                "Lamp/Light Bulb/Brightness: 101 is not a value of this characteristic; see its format and range."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.brightness, 101)
        },
        InvalidDeclaration(
            "no number",
            in: .lightbulb,
            messages: [
                "Lamp/Light Bulb/Hue: nan is not a value of a characteristic; write a finite number."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.hue, Double.nan)
        },
        InvalidDeclaration(
            "a closure that is never called",
            in: .temperatureSensor,
            messages: [
                "Lamp/Temperature Sensor/Current Temperature: controllers may not write it, so onWrite is never "
                    + "called; "
                    + "set its value with server.set."
            ]
        ) {
            HAPCharacteristic(.currentTemperature, 20.0).onWrite { _ in }
        },
        InvalidDeclaration(
            "an enumeration without a valid value",
            in: .securitySystem,
            messages: [
                "Lamp/Security System/Security System Target State: a controller may write 2, which DoorState cannot "
                    + "represent; use a type that can."
            ]
        ) {
            HAPCharacteristic(.securitySystemCurrentState, 1)
            HAPCharacteristic(.securitySystemTargetState, DoorState.closed).onWrite { _ in }
        },
        InvalidDeclaration(
            "no first value",
            in: .switch,
            messages: [
                "Lamp/Switch/On: it is readable and has no value; declare an initial value instead of the type."
            ]
        ) {
            HAPCharacteristic(.on, of: Bool.self)
        },
        InvalidDeclaration(
            "no UUID",
            in: .switch,
            messages: [
                "Lamp/Switch/Speed: \"speed\" is not a UUID; write 36 characters as uuidgen prints them."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(custom: "speed", "Speed", 1)
        },
        InvalidDeclaration(
            "a text among the valid values",
            in: .switch,
            messages: [
                "Lamp/Switch/Name: only numbers can be listed as valid values; remove validValues."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.name, "x", validValues: ["x"])
        },
        InvalidDeclaration(
            "a characteristic too few",
            in: .switch,
            messages: [
                "Lamp/Switch/On: this characteristic is required; add it."
            ]
        ) {
            HAPCharacteristic(.name, "x")
        },
        InvalidDeclaration(
            "a characteristic twice",
            in: .switch,
            messages: [
                "Lamp/Switch/On: the service has this characteristic twice; remove one."
            ]
        ) {
            HAPCharacteristic(.on, false)
            HAPCharacteristic(.on, true)
        },
    ]

    private static let services = [
        InvalidDeclaration(
            "two services of one type and key",
            messages: [
                "Lamp/Switch: two services of this type have the same key; give each its own, such as key: \"left\"."
            ]
        ) {
            HAPService(.switch) { HAPCharacteristic(.on, false) }
            HAPService(.switch) { HAPCharacteristic(.on, false) }
        },
        InvalidDeclaration(
            "one declaration in two places",
            messages: [
                "Lamp/Outlet/On: this declaration is used at another place, too; declare a new one for each place."
            ]
        ) {
            let on = HAPCharacteristic(.on, false)
            HAPService(.switch) { on }
            HAPService(.outlet) {
                on
                HAPCharacteristic(.outletInUse, false)
            }
        },
        InvalidDeclaration(
            "a link to nothing",
            messages: [
                "Lamp/Switch: it is linked to itself or to a service that the accessory does not have."
            ]
        ) {
            HAPService(.switch) { HAPCharacteristic(.on, false) }
                .linked(to: HAPService(.lightbulb) { HAPCharacteristic(.on, false) })
        },
        InvalidDeclaration(
            "a service without a UUID",
            messages: [
                "Lamp/Mine: \"mine\" is not a UUID; write 36 characters as uuidgen prints them."
            ]
        ) {
            HAPService(custom: "mine", name: "Mine") { HAPCharacteristic(.on, false) }
        },
        InvalidDeclaration(
            "no service",
            messages: [
                "Lamp: the accessory only describes itself; add a service that does something, such as Switch."
            ]
        ) {},
    ]

    private static let accessories = [
        InvalidDeclaration(
            "an empty bridge",
            .bridge("Attic") {},
            messages: [
                "Attic: the bridge has no accessories; declare one in its braces."
            ]
        ),
        InvalidDeclaration(
            "two accessories with one key",
            .bridge("Attic") {
                HAPAccessory("Lamp") { HAPService(.switch) { HAPCharacteristic(.on, false) } }
                HAPAccessory("Lamp") { HAPService(.switch) { HAPCharacteristic(.on, false) } }
            },
            messages: [
                "Lamp: two accessories have this key; change one of them."
            ]
        ),
        InvalidDeclaration(
            "a serial number that is too short",
            HAPAccessory("Lamp", serialNumber: "1") {
                HAPService(.switch) { HAPCharacteristic(.on, false) }
            },
            messages: [
                "Lamp/Accessory Information/Serial Number: the value must be a text of 2 to 64 bytes in UTF-8."
            ]
        ),
        InvalidDeclaration(
            "everything at once",
            HAPAccessory("Lamp", firmware: "new") {
                HAPService(.lightbulb) { HAPCharacteristic(.hue, 0) }
            },
            messages: [
                "Lamp/Light Bulb/Hue: its format is float, which Int cannot represent; declare it with a Double, "
                    + "such as 0.0.",
                "Lamp/Accessory Information/Firmware Revision: the value must be a version of the form x, x.y or x.y.z,"
                    + " with numbers below 4294967296.",
                "Lamp/Light Bulb/On: this characteristic is required; add it.",
            ]
        ),
    ]

    private init(_ testDescription: String, _ accessory: HAPAccessory, messages: [String]) {
        self.testDescription = testDescription
        self.accessory = accessory
        self.messages = messages
    }

    private init(
        _ testDescription: String,
        in service: ServiceType,
        messages: [String],
        @DeclarationBuilder<AnyHAPCharacteristic> characteristics: () -> [AnyHAPCharacteristic]
    ) {
        self.init(testDescription, messages: messages) { HAPService(service, characteristics: characteristics) }
    }

    private init(
        _ testDescription: String,
        messages: [String],
        @DeclarationBuilder<HAPService> services: () -> [HAPService]
    ) {
        self.init(testDescription, HAPAccessory("Lamp", services: services), messages: messages)
    }
}
