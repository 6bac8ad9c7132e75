internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HomeModel
internal import HomeRuntime
internal import Hosting

/// A home, as the API shows it.
struct HomeResource: Sendable {
    private let home: Home
    /// The objects of the home.
    private let index: any HomeLookup & Sendable
    /// The latest journal entry of each automation.
    private let lastEntries: [ObjectID<Automation>: StoredJournalEntry]

    /// - Parameter index: The objects of the home, or `nil` for a new index.
    init(
        home: Home,
        lastEntries: [ObjectID<Automation>: StoredJournalEntry],
        index: (any HomeLookup & Sendable)? = nil
    ) {
        self.home = home
        self.index = index ?? HomeIndex(home)
        self.lastEntries = lastEntries
    }

    static let format = Format<HomeResource>
        .response(
            "Home",
            [
                .written("name", \.home.name.text, .string, "The name of the home."),
                .written("rooms", \.rooms, .list(of: room), "The rooms with their services."),
                .written("zones", \.zones, .list(of: zone), "The zones with the names of their rooms."),
                .written("groups", \.groups, .list(of: group), "The service groups with the names of their services."),
                .written("scenes", \.scenes, .list(of: scene), "The scenes."),
                .written("automations", \.automations, .list(of: automation), "The automations."),
                .written("users", \.home.users, .list(of: user), "The users, and whether they are at home."),
            ]
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
    }

    private struct ListedAutomation {
        var automation: Automation
        var home: any HomeLookup & Sendable
        var last: StoredJournalEntry?

        var triggers: [String] { automation.triggers.map { home.text(of: $0) } }
        var condition: String? { automation.condition.map { home.text(of: $0) } }
        var end: String? { automation.end.map { home.text(of: $0) } }
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
    private var scenes: [Group] {
        home.scenes.map { scene in Group(name: scene.name.text, members: scene.actions.map { index.text(of: $0) }) }
    }
    private var automations: [ListedAutomation] {
        home.automations.map { ListedAutomation(automation: $0, home: index, last: lastEntries[$0.id]) }
    }

    private static let room = Format<Room>
        .response(
            "Room",
            [
                .written("name", \.name, .string, "The name of the room."),
                .written("services", \.services, .list(of: service), "The visible services in the room."),
            ]
        )
    private static let service = Format<Service>
        .response(
            "HomeService",
            [
                .written("name", \.service.name.text, .string, "The name of the service."),
                .written("type", \.service.effectiveType.description, .string, "The type that people see."),
                .written(
                    "typeID",
                    \.service.effectiveType.uuid.shortened,
                    .string,
                    "The UUID of this type, shortened for Apple's types."
                ),
                .written("accessory", \.accessory?.name.text, .string, "The name of the accessory."),
                .written(
                    "deviceID",
                    \.accessory?.reference?.server.description,
                    .string,
                    "The device ID of the server, if it is known."
                ),
                .written("aid", \.accessory?.reference?.aid.rawValue, .id, "The accessory's id on the server."),
                .written("iid", \.service.iid?.rawValue, .id, "The service's id in the accessory, if it is known."),
            ]
        )
    private static let zone = members("Zone", "rooms", "The names of the rooms.")
    private static let group = members("ServiceGroup", "services", "The names of the services.")
    private static let scene = members("Scene", "actions", "What the scene sets, in words.")
    private static let automation = Format<ListedAutomation>
        .response(
            "Automation",
            [
                .written("name", \.automation.name.text, .string, "The name of the automation."),
                .written("enabled", \.automation.isEnabled, .boolean, "Whether the automation is enabled."),
                .written("triggers", \.triggers, .list(of: .string), "What starts it, in words."),
                .written("condition", \.condition, .string, "The condition, in words."),
                .written("end", \.end, .string, "When and how it ends, in words."),
                .written("lastTime", \.lastTime, .string, "The time of its latest journal entry."),
                .written("lastMessage", \.last?.text, .string, "Why it last ran, or did not."),
            ]
        )
    private static let user = Format<HomeUser>
        .response(
            "User",
            [
                .written("name", \.name.text, .string, "The name of the user."),
                .written("role", \.role.rawValue, .string, "The role of the user."),
                .written("home", \.isHome, .boolean, "Whether the user is at home; missing if it is unknown."),
            ]
        )

    private static func members(_ name: String, _ key: String, _ documentation: String) -> Format<Group> {
        .response(
            name,
            [
                .written("name", \.name, .string, "The name."),
                .written(key, \.members, .list(of: .string), documentation),
            ]
        )
    }
}

/// A journal entry of a home, as the API shows it.
extension StoredJournalEntry {
    /// - Parameter home: The home with the names of the automations, or `nil` for the schema alone.
    static func format(in home: HomeIndex?) -> Format<StoredJournalEntry> {
        .response(
            "JournalEntry",
            [
                .written("time", \.instant.description, .string, "The time."),
                .written("kind", \.kind, .string, "The kind of entry, such as ran."),
                .custom(
                    "automation",
                    "The name of the automation.",
                    schema: Format<String>.string.schema,
                    write: { entry, _ in
                        entry.automation.flatMap { home?.automation($0)?.name.text }.map(DocumentTree.text)
                    }
                ),
                .written("message", \.text, .string, "The entry in a sentence."),
            ]
        )
    }
}

/// The state of a service, as the API shows it.
struct ServiceStatusResource: Sendable {
    let service: HomeService
    let room: String?
    let status: ServiceStatus

    init(_ service: HomeService, in home: HomeIndex, _ status: ServiceStatus) {
        self.service = service
        room = home.room(of: service.id).flatMap { home.room($0)?.name.text }
        self.status = status
    }

    private var facts: [String] { status.facts.map(\.rawValue).sorted() }

    static let format = Format<ServiceStatusResource>
        .response(
            "ServiceStatus",
            [
                .written("name", \.service.name.text, .string, "The name of the service."),
                .written("type", \.service.effectiveType.description, .string, "The type that people see."),
                .written("room", \.room, .string, "The name of the room."),
                .written("state", \.status.text, .string, "The state in words."),
                .written(
                    "facts",
                    \.facts,
                    .list(of: .string),
                    "What is true: on, off, open, closed, locked, unlocked, armed, disarmed, triggered, lowBattery, "
                        + "unreachable."
                ),
            ]
        )
}

/// The answer to a phrase, or the results of its actions, as the API shows them.
struct SayResource: Sendable {
    var kind: String
    var answer: String?
    var isYes: Bool?
    var services: [PhraseAnswer.Entry] = []
    var results: [ActionResultResource] = []
    var unchanged: [String] = []

    init(_ outcome: PhraseOutcome, of phrase: Phrase, in home: HomeIndex) {
        kind = if case .scene = phrase.meaning { "scene" } else { "command" }
        switch outcome {
        case .answer(let answer):
            kind = "question"
            self.answer = answer.text
            isYes = answer.isYes
            services = answer.entries
        case .plan(let actions, let unchanged):
            results = actions.map { ActionResultResource(action: home.text(of: $0), isDone: false) }
            self.unchanged = unchanged.map(\.name.text)
        case .done(let results, let unchanged):
            self.results = results.map { ActionResultResource($0, in: home) }
            self.unchanged = unchanged.map(\.name.text)
        }
    }

    static let format = Format<SayResource>
        .response(
            "SayResult",
            [
                .written("kind", \.kind, .string, "What the phrase is: question, scene or command."),
                .written("answer", \.answer, .string, "The answer to a question in a sentence."),
                .written("yes", \.isYes, .boolean, "Whether the answer is yes; missing if it is not known."),
                .written("services", \.services, .list(of: entry), "The services that the answer is about."),
                .written("results", \.results, .list(of: ActionResultResource.format), "The results of the actions."),
                .written(
                    "unchanged",
                    \.unchanged,
                    .list(of: .string),
                    "The names of the services that the phrase includes but does not change, such as lamps without a color."
                ),
            ]
        )

    private static let entry = Format<PhraseAnswer.Entry>
        .response(
            "AnswerEntry",
            [
                .written("name", \.name, .string, "The name of the service."),
                .written("state", \.text, .string, "Its state or value in words."),
            ]
        )
}

/// The result of an action of a scene, as the API shows it.
struct ActionResultResource: Sendable {
    var action: String
    var isDone: Bool
    var message: String?

    init(action: String, isDone: Bool) {
        self.action = action
        self.isDone = isDone
    }

    init(_ result: ActionResult, in home: HomeIndex) {
        action = home.text(of: result.action)
        isDone = result.hasSucceeded
        message = result.hasSucceeded ? nil : result.failureReason(in: home)
    }

    static let format = Format<ActionResultResource>
        .response(
            "ActionResult",
            [
                .written("action", \.action, .string, "The action in words."),
                .written("done", \.isDone, .boolean, "Whether the accessory accepted it."),
                .written("message", \.message, .string, "Why it failed."),
            ]
        )
}

/// The file of a served home, as the API shows it.
struct HomeFileResource: Sendable {
    let content: ServedHomeFile.Content

    init(_ content: ServedHomeFile.Content) {
        self.content = content
    }

    static let format = Format<HomeFileResource>
        .response(
            "HomeFile",
            [
                .written(
                    "path",
                    \.content.path,
                    .string,
                    "The path of the file, as it was given to 'hap serve --home'."
                ),
                .written("text", \.content.text, .string, "The content: YAML or JSON."),
                .written("revision", \.content.revision, .string, "A hash of the content."),
            ]
        )
}
