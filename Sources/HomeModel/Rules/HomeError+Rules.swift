package import AccessoryModel

extension HomeError.Code {
    /// What to do when the rule is broken and no better advice is known.
    var remedy: String {
        switch self {
        case .emptyName: "Give it one, such as Kitchen."
        case .nameTooLong: "Shorten it."
        case .nameCharacters: "Leave that out."
        case .nameEnds: "Take off the spaces and apostrophes around it."
        case .duplicateName: "Choose another name."
        case .unknownObject: "Look at what there is with hap home show."
        case .ambiguousName: "Say which one."
        case .notFound: "Pair it with hap home add-accessory, or remove it."
        case .wrongHome: "Edit the other home by its own id."
        case .identifier: "Give everything in a home a number of its own, from 1 on and below the home's next one."
        case .primaryHome: "Make one of the homes the primary one."
        case .tooMany: "Remove some, or divide them between homes."
        case .entireHomeRoomInZone: "Put what is in it into rooms, and those into the zone."
        case .entireHomeRoomFixed: "Add a room with the name that you want."
        case .roomTwice, .serviceTwice: "Name it once."
        case .accessoryTwice: "Remove it there first."
        case .bridgedAccessoryAlone: "Remove its bridge, with everything behind it."
        case .bridge:
            "Name the accessory that announces it, which is in the same home and behind no bridge itself."
        case .disallowedAssociatedType:
            "Only an outlet or a switch counts as something else, and that is one of "
                + "\(AssociatedTypes.allowed.map(\.description).joined(separator: ", ")); hap home change service says so."
        case .instanceTwice: "Give each characteristic of an accessory an iid of its own."
        case .characteristicTwice: "Give a service each type of characteristic once."
        case .foreignService: "Leave the service out, or make a group in its home."
        case .hiddenService: "Choose one that hap home show lists."
        case .noSuchCharacteristic: "Choose one of its characteristics."
        case .readOnlyCharacteristic: "Choose a characteristic that can be, such as the target of a state."
        case .invalidValue: "Choose one of its values."
        case .unobservable: "Test another property of the service."
        case .duplicateAction: "Change the value of the action that is there."
        case .builtInSceneFixed: "Rename it, or take out its actions with hap home change scene."
        case .sceneKindTaken: "Change that one, or make this one user defined."
        case .nothingToDo: "Give it a scene to run or a value to set."
        case .conditionTooDeep: "Make it simpler, or make two automations of it."
        case .emptyCondition, .recurrence: "Choose at least one day."
        case .durationOutOfRange: "Take one in that range."
        case .placeMissing: "Give the home its latitude and longitude with hap home change home."
        case .ownerMissing: "Make exactly one of its users the owner."
        case .timeZone: "Write it as Europe/Berlin, or leave it out for the machine's."
        }
    }
}

// One sentence for each rule, wherever a violation is found.
extension HomeError {
    package static func duplicateName(_ name: ObjectName, _ taken: String, at place: String) -> HomeError {
        let reason = "The name \(name) is that of \(taken) already; case, spaces and apostrophes do not count."
        return HomeError(.duplicateName, at: place, reason)
    }

    static func unknown(_ kind: String, _ what: String, at place: String) -> HomeError {
        HomeError(.unknownObject, at: place, "There is no \(kind) \(what).")
    }

    static func notFound(_ accessory: ObjectName, at place: String) -> HomeError {
        HomeError(.notFound, at: place, "\(accessory) is not found on the network.")
    }

    static func wrongHome(at place: String) -> HomeError {
        HomeError(.wrongHome, at: place, "An edit leaves a home the home that it is.")
    }

    static func identifier(_ number: UInt64, at place: String) -> HomeError {
        HomeError(.identifier, at: place, "The number \(number) is given twice, or was not given yet.")
    }

    static func primaryHome(_ reason: String) -> HomeError {
        HomeError(.primaryHome, at: "", reason)
    }

    static func tooMany(_ kind: String, limit: Int, at place: String) -> HomeError {
        HomeError(.tooMany, at: place, "There are at most \(limit) \(kind).")
    }

    static func entireHomeRoomInZone(at place: String) -> HomeError {
        HomeError(.entireHomeRoomInZone, at: place, "The room for the entire home is in no zone.")
    }

    static func entireHomeRoomFixed(at place: String) -> HomeError {
        HomeError(.entireHomeRoomFixed, at: place, "The room for the entire home is neither renamed nor removed.")
    }

    static func roomTwice(_ room: String, at place: String) -> HomeError {
        HomeError(.roomTwice, at: place, "The room \(room) is in the zone already.")
    }

    static func accessoryTwice(_ reference: AccessoryReference, _ other: String, at place: String) -> HomeError {
        let reason = "\(reference) is in \(other) already, and an accessory is in one home, once."
        return HomeError(.accessoryTwice, at: place, reason)
    }

    static func bridgedAccessoryAlone(_ bridge: String, at place: String) -> HomeError {
        let remedy = "Remove its bridge \(bridge), with everything behind it."
        return HomeError(.bridgedAccessoryAlone, at: place, "A bridged accessory is not removed alone.", remedy: remedy)
    }

    static func bridge(_ reason: String, at place: String) -> HomeError {
        HomeError(.bridge, at: place, reason)
    }

    static func disallowedAssociatedType(_ type: ServiceType, at place: String) -> HomeError {
        HomeError(.disallowedAssociatedType, at: place, "It cannot count as \(type.description).")
    }

    static func instanceTwice(at place: String) -> HomeError {
        HomeError(.instanceTwice, at: place, "Two of its characteristics have the same iid.")
    }

    static func characteristicTwice(_ name: String, at place: String) -> HomeError {
        HomeError(.characteristicTwice, at: place, "It has \(name) twice.")
    }

    static func foreignService(at place: String) -> HomeError {
        HomeError(.foreignService, at: place, "A service group has services of its own home only.")
    }

    static func serviceTwice(_ name: String, at place: String) -> HomeError {
        HomeError(.serviceTwice, at: place, "\(name) is in the group already.")
    }

    static func hiddenService(_ name: String, at place: String) -> HomeError {
        HomeError(.hiddenService, at: place, "\(name) is a service that people do not see.")
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
        return HomeError(.invalidValue, at: place, "\(text) is no value of \(known.displayName).", remedy: remedy)
    }

    static func duplicateAction(_ name: String, of service: String, at place: String) -> HomeError {
        let reason = "\(name) of \(service) is set already, and a characteristic is set once."
        return HomeError(.duplicateAction, at: place, reason)
    }

    static func builtInSceneFixed(at place: String) -> HomeError {
        let reason = "A built-in scene is neither removed nor made one of another kind."
        return HomeError(.builtInSceneFixed, at: place, reason)
    }

    static func sceneKindTaken(_ other: ObjectName, at place: String) -> HomeError {
        HomeError(.sceneKindTaken, at: place, "\(other) is the home's scene of this kind already.")
    }

    static func ownerMissing(_ reason: String, at place: String) -> HomeError {
        HomeError(.ownerMissing, at: place, reason)
    }

    static func timeZone(_ name: String, at place: String) -> HomeError {
        HomeError(.timeZone, at: place, "\(ObjectName.quoted(name)) is no name of a time zone.")
    }
}

extension HomeCharacteristic {
    /// The name for a message: what an accessory calls it may hold anything.
    var displayName: String {
        String(name.prefix(64)).escapingControlCharacters
    }
}
