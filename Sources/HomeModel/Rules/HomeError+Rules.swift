package import AccessoryModel

// One sentence for each rule, and one for the way out, whoever finds that it is broken.
extension HomeError {
    package static func duplicateName(_ name: ObjectName, _ taken: String, at place: String) -> HomeError {
        HomeError(
            .duplicateName,
            at: place,
            "The name \(name) is that of \(taken) already; case, spaces and apostrophes do not count.",
            remedy: "Choose another name."
        )
    }

    static func unknown(_ kind: String, _ what: String, at place: String) -> HomeError {
        HomeError(
            .unknownObject,
            at: place,
            "There is no \(kind) \(what).",
            remedy: "Look at what there is with hap home show."
        )
    }

    static func notFound(_ accessory: ObjectName, at place: String) -> HomeError {
        HomeError(
            .notFound,
            at: place,
            "\(accessory) is not found on the network.",
            remedy: "Pair it with hap home add-accessory, or remove it."
        )
    }

    static func wrongHome(at place: String) -> HomeError {
        HomeError(
            .wrongHome,
            at: place,
            "An edit leaves a home the home that it is.",
            remedy: "Edit the other home by its own id."
        )
    }

    static func identifier(_ number: UInt64, at place: String) -> HomeError {
        HomeError(
            .identifier,
            at: place,
            "The number \(number) is given twice, or was not given yet.",
            remedy: "Give everything in a home a number of its own, from 1 on and below the home's next one."
        )
    }

    static func primaryHome(_ reason: String) -> HomeError {
        HomeError(.primaryHome, at: "", reason, remedy: "Make one of the homes the primary one.")
    }

    static func tooMany(_ kind: String, limit: Int, at place: String) -> HomeError {
        HomeError(
            .tooMany,
            at: place,
            "There are at most \(limit) \(kind).",
            remedy: "Remove some, or divide them between homes."
        )
    }

    static func entireHomeRoomInZone(at place: String) -> HomeError {
        HomeError(
            .entireHomeRoomInZone,
            at: place,
            "The room for the entire home is in no zone.",
            remedy: "Put what is in it into rooms, and those into the zone."
        )
    }

    static func entireHomeRoomFixed(at place: String) -> HomeError {
        HomeError(
            .entireHomeRoomFixed,
            at: place,
            "The room for the entire home is neither renamed nor removed.",
            remedy: "Add a room with the name that you want."
        )
    }

    static func roomTwice(_ room: String, at place: String) -> HomeError {
        HomeError(.roomTwice, at: place, "The room \(room) is in the zone already.", remedy: "Name it once.")
    }

    static func accessoryTwice(_ reference: AccessoryReference, _ other: String, at place: String) -> HomeError {
        HomeError(
            .accessoryTwice,
            at: place,
            "\(reference) is in \(other) already, and an accessory is in one home, once.",
            remedy: "Remove it there first."
        )
    }

    static func bridgedAccessoryAlone(_ bridge: String, at place: String) -> HomeError {
        HomeError(
            .bridgedAccessoryAlone,
            at: place,
            "A bridged accessory is not removed alone.",
            remedy: "Remove its bridge \(bridge), with everything behind it."
        )
    }

    static func bridge(_ reason: String, at place: String) -> HomeError {
        HomeError(
            .bridge,
            at: place,
            reason,
            remedy: "Name the accessory that announces it, which is in the same home and behind no bridge itself."
        )
    }

    static func associatedType(_ type: ServiceType, at place: String) -> HomeError {
        let allowed = AssociatedTypes.allowed.map(\.description).joined(separator: ", ")
        return HomeError(
            .associatedType,
            at: place,
            "It cannot count as \(type.description).",
            remedy:
                "Only an outlet or a switch counts as something else, and that is one of \(allowed); hap home change service says so."
        )
    }

    static func instanceTwice(at place: String) -> HomeError {
        HomeError(
            .instanceTwice,
            at: place,
            "Two of its characteristics have the same iid.",
            remedy: "Give each characteristic of an accessory an iid of its own."
        )
    }

    static func characteristicTwice(_ name: String, at place: String) -> HomeError {
        HomeError(
            .characteristicTwice,
            at: place,
            "It has \(name) twice.",
            remedy: "Give a service each type of characteristic once."
        )
    }

    static func foreignService(at place: String) -> HomeError {
        HomeError(
            .foreignService,
            at: place,
            "A service group has services of its own home only.",
            remedy: "Leave the service out, or make a group in its home."
        )
    }

    static func serviceTwice(_ name: String, at place: String) -> HomeError {
        HomeError(.serviceTwice, at: place, "\(name) is in the group already.", remedy: "Name it once.")
    }

    static func unseenService(_ name: String, at place: String) -> HomeError {
        HomeError(
            .unseenService,
            at: place,
            "\(name) is a service that people do not see.",
            remedy: "Choose one that hap home show lists."
        )
    }

    package static func noSuchCharacteristic(
        _ type: CharacteristicType,
        of service: String,
        at place: String
    ) -> HomeError {
        HomeError(
            .noSuchCharacteristic,
            at: place,
            "\(service) has no \(type.description).",
            remedy: "Choose one of its characteristics."
        )
    }

    static func readOnlyCharacteristic(_ name: String, of service: String, at place: String) -> HomeError {
        HomeError(
            .readOnlyCharacteristic,
            at: place,
            "\(name) of \(service) cannot be written.",
            remedy: "Choose a characteristic that can be, such as the target of a state."
        )
    }

    static func invalidValue(_ value: CharacteristicValue, of characteristic: HomeCharacteristic, at place: String)
        -> HomeError
    {
        let text = characteristic.words.text(of: value)
        return invalidValue(shown: text.utf8.count > 80 ? "This" : text, of: characteristic, at: place)
    }

    package static func invalidValue(
        _ text: String,
        of characteristic: HomeCharacteristic,
        at place: String
    ) -> HomeError {
        invalidValue(shown: ObjectName.quoted(text), of: characteristic, at: place)
    }

    private static func invalidValue(shown text: String, of characteristic: HomeCharacteristic, at place: String)
        -> HomeError
    {
        HomeError(
            .invalidValue,
            at: place,
            "\(text) is no value of \(characteristic.shownName).",
            remedy: "It takes \(characteristic.words.allowedValues)."
        )
    }

    static func duplicateAction(_ name: String, of service: String, at place: String) -> HomeError {
        HomeError(
            .duplicateAction,
            at: place,
            "\(name) of \(service) is set already, and a characteristic is set once.",
            remedy: "Change the value of the action that is there."
        )
    }

    static func builtInSceneFixed(at place: String) -> HomeError {
        HomeError(
            .builtInSceneFixed,
            at: place,
            "A built-in scene is neither removed nor made one of another kind.",
            remedy: "Rename it, or take out its actions with hap home change scene."
        )
    }

    static func sceneKindTaken(_ other: ObjectName, at place: String) -> HomeError {
        HomeError(
            .sceneKindTaken,
            at: place,
            "\(other) is the home's scene of this kind already.",
            remedy: "Change that one, or make this one user defined."
        )
    }

    static func ownerMissing(_ reason: String, at place: String) -> HomeError {
        HomeError(.ownerMissing, at: place, reason, remedy: "Make exactly one of its users the owner.")
    }

    static func timeZone(_ name: String, at place: String) -> HomeError {
        HomeError(
            .timeZone,
            at: place,
            "\(ObjectName.quoted(name)) is no name of a time zone.",
            remedy: "Write it as Europe/Berlin, or leave it out for the machine's."
        )
    }
}

extension HomeCharacteristic {
    /// The name for a message: what an accessory calls it may hold anything.
    var shownName: String {
        String(name.prefix(64)).withVisibleControls
    }
}
