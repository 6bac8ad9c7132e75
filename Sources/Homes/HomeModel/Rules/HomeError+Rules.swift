internal import AccessoryModel

extension HomeError.Code {
    /// The default remedy, used if there is no better one.
    var remedy: String {
        switch self {
        case .emptyName: "Give it one, such as Kitchen."
        case .nameTooLong: "Shorten it."
        case .nameCharacters: "Remove that character."
        case .nameEnds: "Remove the spaces and apostrophes around it."
        case .duplicateName: "Choose another name."
        case .unknownObject: "Use the name of an object in the home."
        case .ambiguousName: "Say which one."
        case .notFound: "Pair it, or remove it."
        case .wrongHome: "Edit the other home by its own id."
        case .identifier: "Give each object in a home its own number, from 1 and below the home's next number."
        case .primaryHome: "Make one of the homes the primary one."
        case .tooMany: "Remove some."
        case .entireHomeRoomInZone: "Move its accessories to rooms, and add those rooms to the zone."
        case .entireHomeRoomFixed: "Add a room with the name that you want."
        case .roomTwice, .serviceTwice: "Name it once."
        case .accessoryTwice: "Remove it there first."
        case .bridgedAccessoryAlone: "Remove its bridge, with everything behind it."
        case .bridge:
            "Name a bridge that announces it, is in the same home and is not behind a bridge itself."
        case .disallowedAssociatedType:
            "Only an outlet or a switch can count as another type, which is one of "
                + "\(AssociatedTypes.allowed.map(\.description).joined(separator: ", "))."
        case .instanceTwice: "Give each characteristic of an accessory an iid of its own."
        case .characteristicTwice: "Give a service each type of characteristic once."
        case .foreignService: "Omit the service, or create a group in its home."
        case .hiddenService: "Choose a visible one."
        case .noSuchCharacteristic: "Choose one of its characteristics."
        case .readOnlyCharacteristic: "Choose a writable characteristic, such as the target of a state."
        case .invalidValue: "Choose one of its values."
        case .unobservable: "Test another property of the service."
        case .duplicateAction: "Change the value of the existing action."
        case .builtInSceneFixed: "Rename it, or remove its actions."
        case .sceneKindTaken: "Change that one, or make this one user defined."
        case .nothingToDo: "Give it a scene to run or a value to set."
        case .conditionTooDeep: "Simplify it, or split it into two automations."
        case .emptyCondition, .recurrence: "Choose at least one day."
        case .durationOutOfRange: "Choose one in that range."
        case .placeMissing: "Give the home its latitude and longitude."
        case .ownerMissing: "Make exactly one of its users the owner."
        case .mustBeNamed: "Name the service."
        case .emptyPhrase: "Say what to do, or ask."
        case .phraseTooLong: "Say less at a time."
        case .timeZone: "Write it as Europe/Berlin, or omit it to use the machine's time zone."
        }
    }
}

// The errors for the rules; each rule has the same text wherever it is checked.
extension HomeError {
    package static func duplicateName(_ name: ObjectName, _ taken: String, at place: String) -> HomeError {
        let reason = "The name \(name) is already used by \(taken); case, spaces and apostrophes are ignored."
        return HomeError(.duplicateName, at: place, reason)
    }

    static func unknown(_ kind: String, _ what: String, at place: String) -> HomeError {
        HomeError(.unknownObject, at: place, "There is no \(kind) \(what).")
    }

    static func identifier(_ number: UInt64, at place: String) -> HomeError {
        HomeError(.identifier, at: place, "The id \(number) is used twice or is not valid.")
    }

    static func tooMany(_ kind: String, limit: Int, at place: String) -> HomeError {
        HomeError(.tooMany, at: place, "There are too many \(kind); the limit is \(limit).")
    }

    static func entireHomeRoomInZone(at place: String) -> HomeError {
        HomeError(.entireHomeRoomInZone, at: place, "The room for the entire home cannot be in a zone.")
    }

    static func roomTwice(_ room: String, at place: String) -> HomeError {
        HomeError(.roomTwice, at: place, "The room \(room) is already in the zone.")
    }

    static func accessoryTwice(_ reference: AccessoryReference, _ other: String, at place: String) -> HomeError {
        let reason = "\(reference) is already in \(other); an accessory can be in only one home, once."
        return HomeError(.accessoryTwice, at: place, reason)
    }

    static func disallowedAssociatedType(_ type: ServiceType, at place: String) -> HomeError {
        HomeError(.disallowedAssociatedType, at: place, "It cannot count as \(type.description).")
    }

    static func instanceTwice(at place: String) -> HomeError {
        HomeError(.instanceTwice, at: place, "Two of its characteristics have the same iid.")
    }

    static func serviceTwice(_ name: String, at place: String) -> HomeError {
        HomeError(.serviceTwice, at: place, "\(name) is already in the group.")
    }

    static func hiddenService(_ name: String, at place: String) -> HomeError {
        HomeError(.hiddenService, at: place, "\(name) is a hidden service.")
    }

    static func noSuchCharacteristic(_ type: CharacteristicType, of service: String, at place: String) -> HomeError {
        HomeError(.noSuchCharacteristic, at: place, "\(service) has no \(type.description).")
    }

    static func readOnlyCharacteristic(
        _ characteristic: HomeCharacteristic,
        of service: HomeService,
        at place: String
    ) -> HomeError {
        let target = Catalog.target(ofCurrent: characteristic.type)
        let writable = service.characteristics.first { $0.type == target }
        return HomeError(
            .readOnlyCharacteristic,
            at: place,
            "\(characteristic.displayName) of \(service.name.text) cannot be written.",
            remedy: writable.map { "Write \($0.displayName)." }
        )
    }

    static func invalidValue(_ value: CharacteristicValue, of known: HomeCharacteristic, at place: String) -> HomeError
    {
        let text = known.base.text(of: value)
        return invalidValue(shown: text.utf8.count > 80 ? "This" : text, of: known, at: place)
    }

    static func invalidValue(_ text: String, of known: HomeCharacteristic, at place: String) -> HomeError {
        invalidValue(shown: ObjectName.quoted(text), of: known, at: place)
    }

    private static func invalidValue(shown text: String, of known: HomeCharacteristic, at place: String) -> HomeError {
        let remedy = "It takes \(known.base.allowedValues(insteadOf: text))."
        return HomeError(.invalidValue, at: place, "\(text) is not a value of \(known.displayName).", remedy: remedy)
    }

    static func duplicateAction(_ name: String, of service: String, at place: String) -> HomeError {
        let reason = "\(name) of \(service) is already set; a characteristic can be set only once."
        return HomeError(.duplicateAction, at: place, reason)
    }

    static func builtInSceneFixed(at place: String) -> HomeError {
        let reason = "A built-in scene cannot be removed or changed to another kind."
        return HomeError(.builtInSceneFixed, at: place, reason)
    }

    static func sceneKindTaken(_ other: ObjectName, at place: String) -> HomeError {
        HomeError(.sceneKindTaken, at: place, "\(other) is already the home's scene of this kind.")
    }

    static func timeZone(_ name: String, at place: String) -> HomeError {
        HomeError(.timeZone, at: place, "\(ObjectName.quoted(name)) is not the name of a time zone.")
    }
}

extension HomeCharacteristic {
    /// The name for a message, shortened and escaped, because an accessory may announce any text.
    var displayName: String {
        String(name.prefix(64)).escapingControlCharacters
    }
}
