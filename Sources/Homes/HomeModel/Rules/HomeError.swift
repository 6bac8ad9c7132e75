public import HAPCore

/// The reason why an edit of a home is refused, or an error in a home.
///
/// This is the only error type of the module. Each rule has its own code.
public struct HomeError: ExplainedError {
    /// The rule that is broken.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A name needs at least one letter or digit.
        case emptyName
        /// A name may have at most 64 characters and 256 bytes.
        case nameTooLong
        /// A name may contain only letters, digits, spaces and apostrophes.
        case nameCharacters
        /// A name must begin and end with a letter or a digit.
        case nameEnds
        /// Two objects that could be confused must not have the same name.
        case duplicateName
        /// A reference must be to an existing object.
        case unknownObject
        /// A name must refer to only one object.
        case ambiguousName
        /// An accessory must be found on the network to be controlled.
        case notFound
        /// An object must belong to this home, not to another one.
        case wrongHome
        /// Each number must be unique in the home and less than the next number.
        case identifier
        /// If there are homes, one of them must be the primary home.
        case primaryHome
        /// The number of objects of each kind is limited.
        case tooMany
        /// The room for the entire home cannot be in a zone.
        case entireHomeRoomInZone
        /// The room for the entire home cannot be renamed or removed.
        case entireHomeRoomFixed
        /// A room can be in a zone only once.
        case roomTwice
        /// An accessory can be in only one home, and only once.
        case accessoryTwice
        /// A bridged accessory can be removed only together with its bridge.
        case bridgedAccessoryAlone
        /// A bridge must be in the same home, must not be bridged itself, and must have the same server as its
        /// accessories.
        case bridge
        /// Only an outlet or a switch may count as another type.
        case disallowedAssociatedType
        /// The instance IDs of characteristics must be unique in their accessory.
        case instanceTwice
        /// A service may have only one characteristic of each type.
        case characteristicTwice
        /// A service group may contain only services of its home.
        case foreignService
        /// A service can be in a group only once.
        case serviceTwice
        /// Users can control only visible services.
        case hiddenService
        /// A service must have the characteristic.
        case noSuchCharacteristic
        /// An action must write a writable characteristic.
        case readOnlyCharacteristic
        /// A value must be one that its characteristic allows.
        case invalidValue
        /// A characteristic in a test must be readable or must notify.
        case unobservable
        /// A scene can set a characteristic only once.
        case duplicateAction
        /// A built-in scene cannot be removed.
        case builtInSceneFixed
        /// A home can have only one scene of each built-in kind.
        case sceneKindTaken
        /// An automation needs a trigger, and something to run.
        case nothingToDo
        /// A condition must not be nested too deeply.
        case conditionTooDeep
        /// A condition needs at least one part.
        case emptyCondition
        /// An interval, an offset or a delay must be in its range.
        case durationOutOfRange
        /// A recurrence must be valid.
        case recurrence
        /// The home needs a place for sunrise and sunset.
        case placeMissing
        /// A home with users needs exactly one owner.
        case ownerMissing
        /// A time zone must have a valid name.
        case timeZone
        /// A phrase must name what it opens, unlocks or disarms.
        case mustBeNamed
        /// A phrase needs at least one word.
        case emptyPhrase
        /// A phrase may have at most 48 words and 1,024 bytes.
        case phraseTooLong
    }

    /// The rule that is broken.
    public var code: Code
    /// The names that lead to the object, such as `Kilgo House/Movie Time`.
    public var path: String
    /// The reason, in a sentence.
    public var reason: String
    /// The remedy, in a sentence.
    public var remedy: String

    /// Creates an error.
    ///
    /// - Parameter remedy: The remedy, or `nil` for the default remedy of the rule.
    public init(_ code: Code, at place: String, _ reason: String, remedy: String? = nil) {
        self.code = code
        self.path = place
        self.reason = reason
        self.remedy = remedy ?? code.remedy
    }
}
