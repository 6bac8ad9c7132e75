import AccessoryModel
import HAPCore

/// An accessory with one characteristic for each permission and access rule.
enum TestAccessory {
    static let key = "Bench"
    static let service = ServiceType(HAPUUID(high: 0x1111_0000_0000_4000, low: 0x8000_0000_0000_0000))

    static let timed = type(1)
    static let writeResponse = type(2)
    static let writeOnly = type(3)
    static let readOnly = type(4)
    static let silent = type(5)
    static let adminOnly = type(6)
    static let authorized = type(7)
    static let first = type(8)
    static let second = type(9)
    static let data = type(10)

    static func accessory(key: String = key, aid: AccessoryID? = nil, hasLamp: Bool = true) -> Accessory {
        Accessory(
            key: key,
            services: [
                .accessoryInformation(
                    name: key,
                    manufacturer: "Example Works",
                    model: "B-1",
                    serialNumber: "B-0001",
                    firmware: "1.0.0"
                ),
                .protocolInformation(),
            ] + (hasLamp ? [lamp] : []) + [button, rules],
            aid: aid
        )
    }

    static let lamp = Service(
        .lightbulb,
        characteristics: [
            Characteristic(cataloged: .on, value: false),
            Characteristic(cataloged: .brightness, value: 50),
        ]
    )

    static let button = Service(
        .statelessProgrammableSwitch,
        characteristics: [Characteristic(cataloged: .programmableSwitchEvent)]
    )

    private static let rules = Service(
        service,
        characteristics: [
            number(timed, [.read, .write, .events, .timedWrite]),
            number(writeResponse, [.read, .write, .writeResponse]),
            Characteristic(
                type: writeOnly,
                permissions: [.write],
                metadata: CharacteristicMetadata(format: .uint8)
            ),
            number(readOnly, [.read, .events]),
            number(silent, [.read, .write]),
            number(adminOnly, [.read, .write, .events], adminOnly: [.read, .write, .notify]),
            number(authorized, [.read, .write, .additionalAuthorization]),
            number(first, [.read, .write, .events]),
            number(second, [.read, .write, .events]),
            Characteristic(
                type: data,
                permissions: [.read, .write],
                metadata: CharacteristicMetadata(format: .data),
                value: .data([])
            ),
        ]
    )

    private static func type(_ number: UInt64) -> CharacteristicType {
        CharacteristicType(HAPUUID(high: 0x1111_0000_0000_4000, low: 0x8000_0000_0000_0000 + number))
    }

    private static func number(
        _ type: CharacteristicType,
        _ permissions: CharacteristicPermissions,
        adminOnly: AdminOnlyAccess = []
    ) -> Characteristic {
        Characteristic(
            type: type,
            permissions: permissions,
            metadata: CharacteristicMetadata(format: .uint8, maximum: 100),
            adminOnly: adminOnly,
            value: 1
        )
    }

    /// Returns the same accessory behind a bridge, without HAP Protocol Information.
    static func bridged(key: String) -> Accessory {
        var accessory = accessory(key: key)
        accessory.services.removeAll { $0.key.type == .protocolInformation }
        return accessory
    }
}
