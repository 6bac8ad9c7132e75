internal import AccessoryModel
package import Documents
package import HAPCore
package import HomeModel
internal import HomeRuntime

/// A home with its objects by name.
package struct HomeResource: Sendable {
    private let home: Home
    /// The objects of the home.
    private let index: any HomeLookup & Sendable
    /// The latest journal entry of each automation.
    private let lastEntries: [ObjectID<Automation>: StoredJournalEntry]
    private var isPrimary: Bool?
    private var isEditable: Bool?
    private var timeZone: String?
    private var now: String?
    private var accessories: [ListedAccessory]?

    /// Creates the resource of a stored home, with its accessories.
    ///
    /// - Parameters:
    ///   - home: The home.
    ///   - isPrimary: Whether commands use it if no home is named.
    ///   - paired: The servers that the controller is paired with, or `nil` if they are unknown.
    package init(_ home: Home, isPrimary: Bool, paired: Set<DeviceID>?) {
        self.init(home: home, lastEntries: [:])
        self.isPrimary = isPrimary
        accessories = home.accessories.map { ListedAccessory(accessory: $0, home: index, paired: paired) }
    }

    /// Creates the resource of a running home.
    ///
    /// - Parameters:
    ///   - isEditable: Whether the API edits its objects.
    ///   - timeZone: The time zone that the home uses, or `nil` for its own.
    ///   - now: The time in the home.
    ///   - index: The objects of the home, or `nil` for a new index.
    package init(
        home: Home,
        lastEntries: [ObjectID<Automation>: StoredJournalEntry],
        isEditable: Bool? = nil,
        timeZone: String? = nil,
        now: WallInstant? = nil,
        index: (any HomeLookup & Sendable)? = nil
    ) {
        self.home = home
        self.index = index ?? HomeIndex(home)
        self.lastEntries = lastEntries
        self.isEditable = isEditable
        self.timeZone = timeZone ?? home.timeZone
        self.now = now?.description
    }

    package static let format = Format<HomeResource>(
        response: "Home",
        .written("name", \.home.name.text, .string, "The name of the home."),
        .written("primary", \.isPrimary, .boolean, "Whether commands use it if no home is named."),
        .written(
            "editable",
            \.isEditable,
            .boolean,
            "Whether the API edits its objects, because a person has named its file."
        ),
        .written("place", \.home.place, place, "Where it is."),
        .written("timeZone", \.timeZone, .string, "Its time zone; that of the machine is written by the API alone."),
        .written("now", \.now, .string, "The time in a running home, which may be simulated."),
        .written("rooms", \.rooms, .list(of: room), "The rooms with their services."),
        .written("accessories", \.accessories, .list(of: accessory), "The accessories; missing in the API."),
        .written("zones", \.zones, .list(of: zone), "The zones with the names of their rooms."),
        .written("groups", \.groups, .list(of: group), "The service groups with the names of their services."),
        .written("scenes", \.scenes, .list(of: scene), "The scenes."),
        .written("automations", \.automations, .list(of: automation), "The automations."),
        .written("users", \.home.users, .list(of: user), "The users, and whether they are at home.")
    )

    /// A name with the names of what belongs to it.
    private struct Group {
        var name: String
        var members: [String]
    }

    private struct Room {
        var name: String
        var services: [Service]
    }

    private struct Service {
        var service: HomeService
        var accessory: HomeAccessory?

        /// `true` if the service is in a room of its own, and not in that of its accessory.
        var hasOwnRoom: Bool? { service.room == nil ? nil : true }
    }

    private struct ListedAccessory {
        var accessory: HomeAccessory
        var home: any HomeLookup & Sendable
        var paired: Set<DeviceID>?

        var room: String { home.room(accessory.room)?.name.text ?? "" }
        var bridge: String? { accessory.bridge.flatMap { home.accessory($0) }?.name.text }
        var isFound: Bool { !accessory.isPlaceholder }
        var isPaired: Bool? { paired.flatMap(accessory.isPaired) }
        var services: [String] { accessory.services.filter(\.isVisible).map(\.name.text) }
    }

    private struct ListedScene {
        var name: String
        var kind: String
        var actions: [HomeActionText]
    }

    private struct ListedAutomation {
        var automation: Automation
        var home: any HomeLookup & Sendable
        var last: StoredJournalEntry?

        private var words: EverydayWords { EverydayWords(home) }
        var triggers: [String] { automation.triggers.map { words.text(of: $0) } }
        var condition: String? { automation.condition.map { words.text(of: $0) } }
        var run: String { words.text(of: automation.targets) }
        var end: String? { automation.end.map { words.text(of: $0) } }
        var lastTime: String? { last?.instant.description }
    }

    private var rooms: [Room] {
        let services = home.visibleServicesByRoom
        return (home.rooms + [.entireHome])
            .map { room in
                Room(
                    name: room.name.text,
                    services: (services[room.id] ?? [])
                        .map { Service(service: $0, accessory: index.accessory(of: $0.id)) }
                )
            }
    }
    private var zones: [Group] {
        home.zones.map { Group(name: $0.name.text, members: index.names(of: $0.rooms)) }
    }
    private var groups: [Group] {
        home.serviceGroups
            .map { Group(name: $0.name.text, members: $0.services.compactMap { index.service($0)?.name.text }) }
    }
    private var scenes: [ListedScene] {
        home.scenes
            .map { scene in
                ListedScene(
                    name: scene.name.text,
                    kind: scene.content.kind.rawValue,
                    actions: scene.actions.map { HomeActionText($0, in: index) }
                )
            }
    }
    private var automations: [ListedAutomation] {
        home.automations.map { ListedAutomation(automation: $0, home: index, last: lastEntries[$0.id]) }
    }

    private static let room = Format<Room>(
        response: "Room",
        .written("name", \.name, .string, "The name of the room."),
        .written("services", \.services, .list(of: service), "The visible services in the room.")
    )
    private static let service = Format<Service>(
        response: "HomeService",
        .written("name", \.service.name.text, .string, "The name of the service."),
        .written("type", \.service.effectiveType.description, .string, "The type that people see."),
        .written("typeID", \.service.effectiveType.uuid.shortened, .string, "The type's UUID, shortened if Apple's."),
        .written("accessory", \.accessory?.name.text, .string, "The name of the accessory."),
        .written("deviceID", \.accessory?.reference?.server.description, .string, "The server's device ID, if known."),
        .written("aid", \.accessory?.reference?.aid.rawValue, .id, "The accessory's id on the server."),
        .written("iid", \.service.iid?.rawValue, .id, "The service's id in the accessory, if it is known."),
        .written("ownRoom", \.hasOwnRoom, .boolean, "Whether the room is that of the service alone; missing if not.")
    )
    private static let zone = members("Zone", "rooms", "The names of the rooms.")
    private static let group = members("ServiceGroup", "services", "The names of the services.")
    private static let scene = Format<ListedScene>(
        response: "Scene",
        .written("name", \.name, .string, "The name."),
        .written("kind", \.kind, .word(SceneKind.allCases.map(\.rawValue)), "What the scene is for."),
        .written("actions", \.actions, .list(of: HomeActionText.format), "What the scene sets.")
    )
    private static let place = Format<GeographicPlace>(
        response: "Place",
        .written("latitude", \.latitude, .number, "In degrees, north of the equator."),
        .written("longitude", \.longitude, .number, "In degrees, east of Greenwich.")
    )
    private static let accessory = Format<ListedAccessory>(
        response: "HomeAccessory",
        .written("name", \.accessory.name.text, .string, "The name of the accessory."),
        .written("room", \.room, .string, "The name of the room."),
        .written("bridge", \.bridge, .string, "The name of its bridge."),
        .written("deviceID", \.accessory.reference?.server.description, .string, "The device ID of the server."),
        .written("aid", \.accessory.reference?.aid.rawValue, .id, "Its id on the server."),
        .written("found", \.isFound, .boolean, "Whether it has been found yet."),
        .written("paired", \.isPaired, .boolean, "Whether the controller is paired with its server."),
        .written("services", \.services, .list(of: .string), "The names of the visible services.")
    )
    private static let automation = Format<ListedAutomation>(
        response: "Automation",
        .written("name", \.automation.name.text, .string, "The name of the automation."),
        .written("enabled", \.automation.isEnabled, .boolean, "Whether the automation is enabled."),
        .written("triggers", \.triggers, .list(of: .string), "What starts it, in words."),
        .written("condition", \.condition, .string, "The condition, in words."),
        .written("run", \.run, .string, "What it runs, in words."),
        .written("end", \.end, .string, "When and how it ends, in words."),
        .written("lastTime", \.lastTime, .string, "The time of its latest journal entry."),
        .written("lastMessage", \.last?.text, .string, "Why it last ran, or did not.")
    )
    private static let user = Format<HomeUser>(
        response: "User",
        .written("name", \.name.text, .string, "The name of the user."),
        .written("role", \.role.rawValue, .string, "The role of the user."),
        .written("home", \.isHome, .boolean, "Whether the user is at home; missing if it is unknown.")
    )

    private static func members(_ name: String, _ key: String, _ documentation: String) -> Format<Group> {
        Format<Group>(
            response: name,
            .written("name", \.name, .string, "The name."),
            .written(key, \.members, .list(of: .string), documentation)
        )
    }
}
