/// Why something is not done to a home, or what is wrong in one.
///
/// The one error type of this module. Every rule has a code of its own.
public struct HomeError: Error, Sendable, Hashable {
    /// Which rule.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A name has at least one character.
        case emptyName
        /// A name has at most 64 characters, and 256 bytes.
        case nameTooLong
        /// A name has letters, digits, spaces and apostrophes only.
        case nameCharacters
        /// A name begins and ends with a letter or a digit.
        case nameEnds
        /// No two things that could be confused have one name.
        case duplicateName
        /// What is named exists.
        case unknownObject
        /// What is named is one thing.
        case ambiguousName
        /// What is controlled is found on the network.
        case notFound
        /// What is named is in this home, not in another.
        case wrongHome
        /// No two things have one number, and none has one that is still to be given.
        case identifier
        /// There is a primary home whenever there is a home, and it is one of them.
        case primaryHome
        /// There is at most so much of everything.
        case tooMany
        /// The room for the entire home is in no zone.
        case entireHomeRoomInZone
        /// The room for the entire home is neither renamed nor removed.
        case entireHomeRoomFixed
        /// A room is in a zone once.
        case roomTwice
        /// An accessory is in one home, once.
        case accessoryTwice
        /// A bridged accessory is removed with its bridge only.
        case bridgedAccessoryAlone
        /// A bridged accessory is behind an accessory of its home that is not bridged itself, and has its server.
        case bridge
        /// A service has another associated type than its own only when it is an outlet or a switch.
        case disallowedAssociatedType
        /// The iids of characteristics are unique in their accessory.
        case instanceTwice
        /// A service has one characteristic of a type.
        case characteristicTwice
        /// A service group has services of its home only.
        case foreignService
        /// A service is in a group once.
        case serviceTwice
        /// What people control is a service that they see.
        case hiddenService
        /// A service has the characteristic that is named.
        case noSuchCharacteristic
        /// An action writes a characteristic that can be written.
        case readOnlyCharacteristic
        /// A value is one of its characteristic's.
        case invalidValue
        /// What an automation tests can be read or watched.
        case unobservable
        /// A scene sets a characteristic once.
        case duplicateAction
        /// A built-in scene is not removed.
        case builtInSceneFixed
        /// A home has each built-in kind of scene once.
        case sceneKindTaken
        /// An automation has something to do.
        case nothingToDo
        /// A condition is not nested too deeply.
        case conditionTooDeep
        /// A condition has at least one part.
        case emptyCondition
        /// An interval, an offset or a delay is not out of range.
        case durationOutOfRange
        /// A recurrence comes again.
        case recurrence
        /// The sun rises where the home is: it has a place.
        case placeMissing
        /// A home with users has one owner.
        case ownerMissing
        /// A time zone has a name that can be one.
        case timeZone
    }

    /// Which rule.
    public var code: Code
    /// Where, by name, such as `Kilgo House/Movie Time`.
    public var path: String
    /// What is wrong, in a sentence.
    public var reason: String
    /// What to do about it, in a sentence.
    public var remedy: String

    /// Creates an error.
    ///
    /// - Parameter remedy: What to do; `nil` for what the rule says.
    public init(_ code: Code, at place: String, _ reason: String, remedy: String? = nil) {
        self.code = code
        self.path = place
        self.reason = reason
        self.remedy = remedy ?? code.remedy
    }
}

extension HomeError: CustomStringConvertible {
    /// `place: reason Remedy`, on one line.
    public var description: String {
        path.isEmpty ? "\(reason) \(remedy)" : "\(path): \(reason) \(remedy)"
    }
}
