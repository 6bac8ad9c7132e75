import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// A house with a garage, a living room and an upper floor for tests.
struct SampleHome {
    var homes = Homes()
    let id: ObjectID<Home>
    var rooms: [String: ObjectID<Room>] = [:]
    var zones: [String: ObjectID<Zone>] = [:]
    var accessories: [String: ObjectID<HomeAccessory>] = [:]

    init() throws {
        id = try homes.addHome(named: ObjectName("Kilgo House"))
        for room in ["Garage", "Living Room", "Bedroom", "Office"] {
            rooms[room] = try edit { home throws(HomeError) in try home.addRoom(named: ObjectName(room)) }
        }
        zones["Upstairs"] = try edit { [rooms] home throws(HomeError) in
            try home.addZone(
                named: ObjectName("Upstairs"),
                rooms: ["Bedroom", "Office"].compactMap { rooms[$0] }
            )
        }
        try add(Self.garage, in: "Garage", at: Self.reference(1))
        try add(Self.lamp("Living Room Lamp"), in: "Living Room", at: Self.reference(2))
        try add(Self.lamp("Bedroom Lamp"), in: "Bedroom", at: Self.reference(3))
        try add(Self.outlet("Office Outlet"), in: "Office", at: Self.reference(4))
    }

    /// The home, which is the only one before ``prepare()`` is called.
    var home: Home {
        get throws { try #require(homes.home(id)) }
    }

    /// Edits the home.
    mutating func edit<Result>(
        _ change: (inout Home) throws(HomeError) -> Result
    ) throws(HomeError) -> Result {
        try homes.edit(id, change)
    }

    mutating func add(_ accessory: RemoteAccessory, in room: String, at reference: AccessoryReference) throws {
        let place = AccessoryPlacement(room: rooms[room] ?? .entireHome)
        accessories[accessory.name ?? ""] = try edit { home throws(HomeError) in
            try home.addAccessory(accessory, at: reference, placed: place)
        }
    }

    /// Returns the service with a name.
    func service(_ name: String) throws -> HomeService {
        try #require(home.accessories.flatMap(\.services).first { $0.name.text == name })
    }

    func selector(_ service: String, _ type: CharacteristicType) throws -> CharacteristicSelector {
        CharacteristicSelector(service: try self.service(service).id, type: type)
    }

    func action(
        _ service: String,
        _ type: CharacteristicType,
        _ value: CharacteristicValue
    ) throws -> HomeAction {
        HomeAction(characteristic: try selector(service, type), value: value)
    }

    static func reference(_ server: UInt8, aid: UInt64 = 1) throws -> AccessoryReference {
        let digits = server < 16 ? "0\(String(server, radix: 16))" : String(server, radix: 16)
        return AccessoryReference(
            server: try #require(DeviceID("00:00:00:00:00:\(digits)")),
            aid: try #require(AccessoryID(aid))
        )
    }

    static func characteristic(_ iid: UInt64, _ type: CharacteristicType) -> HomeCharacteristic {
        HomeCharacteristic(iid: InstanceID(iid), Characteristic(cataloged: type).base)
    }

    static func service(
        _ iid: UInt64,
        _ name: String?,
        _ type: ServiceType,
        _ characteristics: [CharacteristicType]
    ) -> RemoteService {
        RemoteService(
            named: name,
            type,
            iid: iid,
            characteristics: characteristics.enumerated()
                .map { RemoteCharacteristic(iid: iid + 1 + UInt64($0), $1) }
        )
    }

    static let information = service(1, "Whatever", .accessoryInformation, [.identify, .manufacturer, .name])

    static let garage = RemoteAccessory(
        named: "Kilgo Garage",
        services: [
            information,
            service(10, "Garage Door", .garageDoorOpener, [.currentDoorState, .targetDoorState, .obstructionDetected]),
            service(20, "Garage Light", .lightbulb, [.on, .brightness]),
        ]
    )

    static func lamp(_ name: String) -> RemoteAccessory {
        RemoteAccessory(
            named: name,
            services: [information, service(10, nil, .lightbulb, [.on, .brightness, .hue])]
        )
    }

    static func outlet(_ name: String) -> RemoteAccessory {
        RemoteAccessory(
            named: name,
            services: [information, service(10, nil, .outlet, [.on, .outletInUse])]
        )
    }
}

extension SampleHome {
    /// The id of the second home, which ``prepare()`` adds.
    var second: ObjectID<Home> { ObjectID(id.rawValue + 1) }

    /// Adds a group, scenes, users, an automation, a bridge with a lamp, and a second home with its own lamp.
    mutating func prepare() throws {
        let lamps = try [service("Living Room Lamp").id, service("Bedroom Lamp").id]
        let dim = try action("Living Room Lamp", .brightness, 10)
        let on = try action("Garage Light", .on, true)
        let off = try action("Garage Light", .on, false)
        let door = try selector("Garage Door", .currentDoorState)
        let bridge = try Self.reference(5)
        let bridged = try Self.reference(5, aid: 2)
        try edit { home throws(HomeError) in
            _ = try home.addServiceGroup(named: ObjectName("Reading Lamps"), services: lamps)
            _ = try home.addScene(named: ObjectName("Movie Time"), actions: [dim])
            _ = try home.addScene(named: ObjectName("Good Night"), kind: .sleep, actions: [off])
            _ = try home.addUser(named: ObjectName("Ada"), role: .owner)
            _ = try home.addUser(named: ObjectName("Charles"), role: .member, isRemote: true)
            let name = try ObjectName("Light the Garage")
            _ = try home.addAutomation {
                Automation(
                    id: $0,
                    name: name,
                    rule: AutomationRule(
                        triggers: [.characteristic(door, .equals(2))],
                        targets: AutomationTargets<HomeIDs>(ownActions: [on]),
                        end: EndEvent<HomeIDs>(.whenThenAfter(door, .equals(1), .seconds(300)), .actions([off]))
                    )
                )
            }
            let id = try home.addAccessory(
                RemoteAccessory(named: "Bridge", services: [Self.information]),
                at: bridge
            )
            _ = try home.addAccessory(Self.lamp("Porch Lamp"), at: bridged, placed: AccessoryPlacement(bridge: id))
        }
        let summer = try homes.addHome(named: ObjectName("Summer House"))
        let lamp = try Self.reference(9)
        try homes.edit(summer) { home throws(HomeError) in
            let room = try home.addRoom(named: ObjectName("Garage"))
            _ = try home.addAccessory(Self.lamp("Garden Lamp"), at: lamp, placed: AccessoryPlacement(room: room))
        }
    }
}
