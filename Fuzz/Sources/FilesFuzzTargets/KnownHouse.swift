import AccessoryFiles
import AccessoryModel
import HAPCore
import HomeModel
import TestSupport

/// Accessories on a network, and a home with them.
enum KnownHouse {
    /// A lamp, a fan behind a bridge, and what can be opened, unlocked and disarmed.
    static let accessories: [KnownAccessory] = [
        accessory("Lamp", 1, 1, .lightbulb, [.on, .brightness]),
        accessory("Bridge", 2, 1, nil, []),
        accessory("Fan", 2, 5, .fan, [.on, .rotationSpeed], bridge: "Bridge"),
        accessory("Gate", 3, 1, .garageDoorOpener, [.currentDoorState, .targetDoorState]),
        accessory("Latch", 4, 1, .lockMechanism, [.lockCurrentState, .lockTargetState]),
        accessory("Bolt", 5, 1, .lockMechanism, [.lockCurrentState, .lockTargetState]),
        accessory("Siren", 6, 1, .securitySystem, [.securitySystemCurrentState, .securitySystemTargetState]),
    ]

    /// A home with all of them, a room, a group, a scene and a user.
    static let homes: Homes = {
        let text = """
            home: House
            rooms: [Hall]
            zones: { Down: [Hall] }
            accessories:
              - { accessory: Lamp, room: Hall, services: { Lightbulb: Light } }
              - Bridge
              - { accessory: Fan, bridge: Bridge }
              - { accessory: Gate, room: Hall }
              - { accessory: Latch, room: Hall }
              - { accessory: Bolt, room: Hall }
              - { accessory: Siren, room: Hall }
            groups: { All: [Light, Fan] }
            scenes: { S: { kind: sleep, actions: [{ set: Light/On, to: true }] } }
            users: { Ada: owner }
            """
        guard let document = try? HomeFile.read(Array(text.utf8), name: "house") else {
            fatalError("a home file that is right is read")
        }
        let merge = HomeMerge(document, into: Homes(), known: accessories)
        guard merge.errors.isEmpty else { fatalError("\(merge.errors)") }
        return merge.homes
    }()

    private static func accessory(
        _ name: String,
        _ server: UInt8,
        _ aid: UInt64,
        _ type: ServiceType?,
        _ characteristics: [CharacteristicType],
        bridge: String? = nil
    ) -> KnownAccessory {
        guard let device = DeviceID("1A:2B:3C:4D:5E:0\(server)"), let aid = AccessoryID(aid) else {
            fatalError("these are ids")
        }
        func service(_ iid: UInt64, _ type: ServiceType, _ types: [CharacteristicType]) -> RemoteService {
            RemoteService(
                named: nil,
                type,
                iid: iid,
                characteristics: types.enumerated()
                    .map { position, type in
                        RemoteCharacteristic(iid: iid + 1 + UInt64(position), type)
                    }
            )
        }
        return KnownAccessory(
            name: name,
            bridge: bridge,
            reference: AccessoryReference(server: device, aid: aid),
            announced: RemoteAccessory(
                named: name,
                aid: aid,
                services: [service(1, .accessoryInformation, [.identify, .name])]
                    + (type.map { [service(10, $0, characteristics)] } ?? [])
            )
        )
    }
}
