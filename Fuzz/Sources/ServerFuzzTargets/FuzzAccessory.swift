import AccessoryModel
import HAPCore
import HAPServer
import Simulation

/// The Kilgo garage with an additional service, which has a characteristic for every format and every rule.
enum FuzzAccessory {
    static let accessory: Accessory = {
        var accessory = KilgoGarage.accessory()
        accessory.services.append(Service(.statelessProgrammableSwitch, characteristics: [button]))
        accessory.services.append(Service(service, characteristics: formats + rules))
        return accessory
    }()

    /// The same accessory without the light.
    static let smaller: Accessory = {
        var smaller = accessory
        smaller.services.removeAll { $0.key.type == .lightbulb }
        return smaller
    }()

    /// Returns handlers for two characteristics.
    ///
    /// They run on another thread than the server.
    static func handlers(waitingAt gate: FuzzGate) -> [CharacteristicKey: CharacteristicHandler] {
        [
            reference(handled): CharacteristicHandler(
                onRead: {
                    await gate.pass()
                    return 7
                },
                onWrite: { value, _ in
                    await gate.pass()
                    return value == 9 ? 300 : value
                }
            ),
            reference(failing): CharacteristicHandler(
                onRead: { throw HandlerFailure(.busy) },
                onWrite: { _, _ in throw HandlerFailure(.notAllowedInCurrentState) }
            ),
        ]
    }

    private static let service = ServiceType(HAPUUID(high: 0x1111_0000_0000_4000, low: 0x8000_0000_0000_0000))
    private static let handled = type(30)
    private static let failing = type(31)
    private static let button = Characteristic(cataloged: .programmableSwitchEvent)

    private static let formats: [Characteristic] = [
        characteristic(1, .bool, .bool(false)),
        characteristic(2, .uint8, 1),
        characteristic(3, .uint16, 1),
        characteristic(4, .uint32, 1),
        characteristic(5, .uint64, 1),
        characteristic(6, .int, -1),
        characteristic(7, .float, 0.5),
        characteristic(8, .string, "é"),
        characteristic(9, .tlv8, .data([])),
        characteristic(10, .data, .data([1, 2, 3])),
    ]

    private static let rules: [Characteristic] = [
        stepped(20, permissions: [.read, .write, .events, .timedWrite]),
        stepped(21, permissions: [.read, .write, .writeResponse]),
        stepped(22, permissions: [.read, .write, .events], adminOnly: [.read, .write, .notify]),
        stepped(23, permissions: [.read, .write, .additionalAuthorization]),
        stepped(24, permissions: [.read, .events]),
        Characteristic(type: type(25), permissions: [.write], metadata: CharacteristicMetadata(format: .uint8)),
        stepped(30, permissions: [.read, .write, .events], value: 7),
        stepped(31, permissions: [.read, .write, .events]),
    ]

    private static func type(_ number: UInt64) -> CharacteristicType {
        CharacteristicType(HAPUUID(high: 0x1111_0000_0000_4000, low: 0x8000_0000_0000_0000 + number))
    }

    private static func reference(_ type: CharacteristicType) -> CharacteristicKey {
        CharacteristicKey(accessory: KilgoGarage.name, service: ServiceKey(service), type: type)
    }

    private static func characteristic(
        _ number: UInt64,
        _ format: CharacteristicFormat,
        _ value: CharacteristicValue
    ) -> Characteristic {
        Characteristic(
            type: type(number),
            permissions: [.read, .write, .events],
            metadata: CharacteristicMetadata(format: format),
            value: value
        )
    }

    private static func stepped(
        _ number: UInt64,
        permissions: CharacteristicPermissions,
        adminOnly: AdminOnlyAccess = [],
        value: CharacteristicValue = 1
    ) -> Characteristic {
        Characteristic(
            type: type(number),
            permissions: permissions,
            metadata: CharacteristicMetadata(format: .float, minimum: -10, maximum: 100, step: 0.5),
            adminOnly: adminOnly,
            value: value
        )
    }
}
