import AccessoryModel
import HAPCore

@testable import HomeModel

/// A house near Frankfurt with a garage door, its light, two lamps, a thermometer, a button and two users.
enum TestHome {
    static let door = selector(10, .currentDoorState)
    static let doorTarget = selector(10, .targetDoorState)
    static let light = selector(11, .on)
    static let brightness = selector(11, .brightness)
    static let lamp = selector(12, .on)
    static let other = selector(13, .on)
    static let temperature = selector(14, .currentTemperature)
    static let button = selector(15, .programmableSwitchEvent)
    static let anna = ObjectID<HomeUser>(20)
    static let ben = ObjectID<HomeUser>(21)
    static let movie = ObjectID<HomeScene>(30)
    static let garage = ObjectID<HomeAccessory>(1)

    static func selector(_ service: UInt64, _ type: CharacteristicType) -> CharacteristicSelector {
        CharacteristicSelector(service: ObjectID(service), type: type)
    }

    static func action(_ selector: CharacteristicSelector, _ value: CharacteristicValue) -> HomeAction {
        HomeAction(characteristic: selector, value: value)
    }

    static func home(_ automations: [Automation], place: GeographicPlace? = frankfurt, scenes: [HomeAction]? = nil)
        throws -> Home
    {
        Home.made(
            id: 1,
            name: try ObjectName("Kilgo House"),
            accessories: try accessories(),
            scenes: [
                HomeScene(
                    id: movie,
                    name: try ObjectName("Movie Time"),
                    content: SceneContent(actions: scenes ?? [action(lamp, false), action(other, true)])
                )
            ],
            automations: automations,
            users: [
                HomeUser(id: anna, name: try ObjectName("Anna"), access: UserAccess(role: .owner)),
                HomeUser(id: ben, name: try ObjectName("Ben"), access: UserAccess(role: .member)),
            ],
            place: place,
            nextID: 10_000
        )
    }

    static let frankfurt = GeographicPlace(latitude: 50.11, longitude: 8.68)

    /// Returns an automation with an id; the ids of automations begin at 40.
    static func automation(
        _ number: UInt64,
        _ name: String,
        when trigger: Trigger<HomeIDs>,
        or others: [Trigger<HomeIDs>] = [],
        if condition: Condition<HomeIDs>? = nil,
        set own: [HomeAction] = [action(light, true)],
        scenes: [ObjectID<HomeScene>] = [],
        end: EndEvent<HomeIDs>? = nil,
        isEnabled: Bool = true,
        executesOnce: Bool = false
    ) throws -> Automation {
        Automation(
            id: ObjectID(number),
            name: try ObjectName(name),
            rule: AutomationRule(
                isEnabled: isEnabled,
                executesOnce: executesOnce,
                triggers: [trigger] + others,
                condition: condition,
                targets: AutomationTargets<HomeIDs>(scenes: scenes, ownActions: own),
                end: end
            )
        )
    }

    private static func accessories() throws -> [HomeAccessory] {
        [
            HomeAccessory(
                id: garage,
                name: try ObjectName("Kilgo Garage"),
                services: [
                    try service(10, "Garage Door", .garageDoorOpener, [.currentDoorState, .targetDoorState]),
                    try service(11, "Garage Light", .lightbulb, [.on, .brightness]),
                ]
            ),
            HomeAccessory(
                id: ObjectID(2),
                name: try ObjectName("Things"),
                services: [
                    try service(12, "Lamp", .lightbulb, [.on]),
                    try service(13, "Other Lamp", .lightbulb, [.on]),
                    try service(14, "Thermometer", .temperatureSensor, [.currentTemperature]),
                    try service(15, "Button", .statelessProgrammableSwitch, [.programmableSwitchEvent]),
                ]
            ),
        ]
    }

    private static func service(
        _ number: UInt64,
        _ name: String,
        _ type: ServiceType,
        _ characteristics: [CharacteristicType]
    ) throws -> HomeService {
        HomeService(
            id: ObjectID(number),
            name: try ObjectName(name),
            type: type,
            characteristics: characteristics.compactMap { Catalog.characteristic($0) }
                .map { HomeCharacteristic(.init($0)) }
        )
    }
}
