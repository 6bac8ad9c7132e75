import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

/// The Kilgo house of `Config/home.yaml` with more devices, so that every kind of phrase has something to refer to.
struct PhraseHouse {
    let home: Home
    /// Everything is off, closed, locked and disarmed; lamps have a brightness of 50 %.
    let values: [CharacteristicSelector: CharacteristicValue]

    private static let lamp: [CharacteristicType] = [.on, .brightness]
    private static let colored: [CharacteristicType] = [.on, .brightness, .hue, .saturation]
    private static let white: [CharacteristicType] = [.on, .brightness, .colorTemperature]
    private static let fan: [CharacteristicType] = [.on, .rotationSpeed]
    private static let position: [CharacteristicType] = [
        .currentPosition, .targetPosition, .positionState, .holdPosition,
    ]

    /// The accessories with their room and their services.
    private static let accessories: [(String, room: String, [(String, ServiceType, [CharacteristicType])])] = [
        (
            "Kilgo Garage", "Garage",
            [
                (
                    "Garage Door", .garageDoorOpener,
                    [.currentDoorState, .targetDoorState, .obstructionDetected, .lockCurrentState, .lockTargetState]
                ),
                ("Garage Light", .lightbulb, colored),
            ]
        ),
        ("Front Door", "Hall", [("Front Door Lock", .lockMechanism, [.lockCurrentState, .lockTargetState])]),
        (
            "Living Room Thermostat", "Living Room",
            [
                (
                    "Living Room Thermostat", .thermostat,
                    [
                        .currentHeatingCoolingState, .targetHeatingCoolingState, .currentTemperature,
                        .targetTemperature, .heatingThresholdTemperature, .coolingThresholdTemperature,
                    ]
                )
            ]
        ),
        ("Mood Light", "Living Room", [("Mood Light", .lightbulb, colored)]),
        ("Coffee Machine", "Living Room", [("Window Light", .outlet, [.on, .outletInUse])]),
        ("Reading Lamp", "Bedroom", [("Reading Lamp", .lightbulb, lamp)]),
        ("Desk Lamp", "Office", [("Desk Lamp", .lightbulb, lamp)]),
        ("Ceiling Fan", "Living Room", [("Ceiling Fan", .fan, fan)]),
        ("Living Room Blinds", "Living Room", [("Living Room Blinds", .windowCovering, position)]),
        (
            "Humidifier", "Living Room",
            [
                (
                    "Humidifier", .humidifierDehumidifier,
                    [.active, .currentRelativeHumidity, .relativeHumidityHumidifierThreshold]
                )
            ]
        ),
        ("Bedroom Lamp", "Bedroom", [("Bedroom Lamp", .lightbulb, white)]),
        ("Bedroom Motion", "Bedroom", [("Bedroom Motion", .motionSensor, [.motionDetected, .statusLowBattery])]),
        ("Bedroom Blinds", "Bedroom", [("Bedroom Blinds", .windowCovering, position)]),
        ("Alarm", "Hall", [("Alarm", .securitySystem, [.securitySystemCurrentState, .securitySystemTargetState])]),
        ("Hall Smoke Sensor", "Hall", [("Hall Smoke Sensor", .smokeSensor, [.smokeDetected, .statusLowBattery])]),
        ("Hall Temperature", "Hall", [("Hall Temperature", .temperatureSensor, [.currentTemperature])]),
        ("Hall Light", "Hall", [("Hall Light", .lightbulb, lamp)]),
        ("Office Fan", "Office", [("Office Fan", .fan, fan)]),
        ("Office Switch", "Office", [("Office Switch", .switch, [.on])]),
    ]

    /// The values that are not 0.
    private static let initial: [CharacteristicType: CharacteristicValue] = [
        .brightness: 50, .currentDoorState: 1, .targetDoorState: 1, .lockCurrentState: 1, .lockTargetState: 1,
        .securitySystemCurrentState: 3, .securitySystemTargetState: 3, .currentTemperature: 19, .targetTemperature: 20,
        .heatingThresholdTemperature: 20, .coolingThresholdTemperature: 26, .colorTemperature: 250,
        .currentRelativeHumidity: 45, .relativeHumidityHumidifierThreshold: 40,
    ]

    init() throws {
        var homes = Homes()
        let id = try homes.addHome(named: ObjectName("Kilgo House"))
        try homes.edit(id) { home throws(HomeError) in
            var rooms: [String: ObjectID<Room>] = [:]
            for room in ["Garage", "Hall", "Living Room", "Bedroom", "Office"] {
                rooms[room] = try home.addRoom(named: ObjectName(room))
            }
            for (zone, members) in [
                ("Ground Floor", ["Garage", "Hall", "Living Room"]), ("Upstairs", ["Bedroom", "Office"]),
            ] {
                _ = try home.addZone(named: ObjectName(zone), rooms: members.compactMap { rooms[$0] })
            }
            for (number, (name, room, services)) in Self.accessories.enumerated() {
                guard let server = DeviceID("00:00:00:00:00:\(number + 10)"), let aid = AccessoryID(1) else { continue }
                let accessory = RemoteAccessory(
                    named: name,
                    services: [SampleHome.information]
                        + services.enumerated()
                        .map { SampleHome.service(10 + UInt64($0) * 20, $1.0, $1.1, $1.2) }
                )
                _ = try home.addAccessory(
                    accessory,
                    at: AccessoryReference(server: server, aid: aid),
                    placed: AccessoryPlacement(room: rooms[room] ?? .entireHome)
                )
            }
            func service(_ name: String) throws(HomeError) -> ObjectID<HomeService> { try home.service(named: name).id }
            try home.setAssociatedType(.lightbulb, of: service("Window Light"))
            _ = try home.addServiceGroup(
                named: ObjectName("Reading Lamps"),
                services: [service("Reading Lamp"), service("Desk Lamp")]
            )
            let action = HomeAction(
                characteristic: CharacteristicSelector(service: try service("Mood Light"), type: .on),
                value: true
            )
            for (name, kind) in [
                ("Movie Time", SceneKind.userDefined), ("Good Morning", .wakeUp), ("Good Night", .sleep),
                ("Leaving Home", .homeDeparture),
            ] {
                _ = try home.addScene(named: ObjectName(name), kind: kind, actions: [action])
            }
            _ = try home.addUser(named: ObjectName("Ada"), role: .owner)
            _ = try home.addUser(named: ObjectName("Charles"), role: .member, isRemote: true)
        }
        home = try #require(homes.home(id))
        var values: [CharacteristicSelector: CharacteristicValue] = [:]
        for service in home.accessories.flatMap(\.services) {
            for characteristic in service.characteristics {
                values[CharacteristicSelector(service: service.id, type: characteristic.type)] =
                    Self.initial[characteristic.type] ?? 0
            }
        }
        self.values = values
    }

    /// The answer to a question when these characteristics have other values.
    func answer(to text: String, with changes: [(String, CharacteristicType, CharacteristicValue)]) throws
        -> PhraseAnswer
    {
        var values = values
        for (name, type, value) in changes {
            values[CharacteristicSelector(service: try home.service(named: name).id, type: type)] = value
        }
        guard case .question(let question) = try Phrase(text, in: home).meaning else {
            throw MomentError(text: "\(text) is not a question")
        }
        return PhraseAnswer(to: question, in: home, values)
    }

    /// The states of the house that a row of the table can begin with, each with the values that differ.
    private static let states: [String: [CharacteristicType: CharacteristicValue]] = [
        "[on] ": [.on: true], "[heat] ": [.targetHeatingCoolingState: 1], "[cool] ": [.targetHeatingCoolingState: 2],
        "[auto] ": [.targetHeatingCoolingState: 3],
    ]

    /// Returns what a phrase does, in the words of the table.
    func outcome(of row: String) -> String {
        let state = Self.states.first { row.hasPrefix($0.key) }
        let text = String(row.dropFirst(state?.key.count ?? 0))
        var values = values
        for selector in values.keys {
            if let value = state?.value[selector.type] { values[selector] = value }
        }
        do throws(HomeError) {
            let phrase = try Phrase(text, in: home)
            switch phrase.meaning {
            case .question(let question): return "question: \(PhraseAnswer(to: question, in: home, values).text)"
            case .scene(let id): return "scene \(home.scene(id)?.name.text ?? "?")"
            case .commands:
                return try phrase.actions(in: home, values: values)
                    .map { action in
                        let service = home.service(action.characteristic.service)?.name.text ?? "?"
                        return "\(service)/\(action.characteristic.type)=\(action.value)"
                    }
                    .sorted()
                    .joined(separator: "; ")
            }
        } catch {
            return switch error.code {
            case .mustBeNamed: "refused: \(error.path)"
            case .ambiguousName: "ambiguous: \(error.reason)"
            case .unknownObject: "unknown: \(error)"
            default: "invalid: \(error)"
            }
        }
    }
}
