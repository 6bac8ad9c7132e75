/// The maximum number of objects of each kind.
///
/// The limits are higher than any real home needs, but low enough to check all rules quickly, even for a malicious
/// file.
public enum HomeLimits {
    /// The homes of a person.
    public static let homes = 64
    /// The rooms of a home.
    public static let rooms = 1000
    /// The zones of a home.
    public static let zones = 1000
    /// The total number of rooms in all zones of a home.
    public static let zoneRooms = 10_000
    /// The accessories of a home.
    public static let accessories = 2000
    /// The services of a home.
    public static let services = 10_000
    /// The characteristics of a service.
    public static let characteristics = 200
    /// The service groups of a home.
    public static let serviceGroups = 1000
    /// The total number of services in all groups of a home.
    public static let groupServices = 20_000
    /// The scenes of a home.
    public static let scenes = 1000
    /// The actions of a scene.
    public static let actions = 2000
    /// The total number of actions in all scenes of a home.
    public static let allActions = 50_000
    /// The automations of a home.
    public static let automations = 2000
    /// The total number of scenes and actions in all automations of a home.
    public static let automationTargets = 50_000
    /// The users of a home.
    public static let users = 100
    /// The length of a time zone name in bytes.
    public static let timeZoneBytes = 64
    /// The highest number of an id; no edit comes near it.
    public static let number: UInt64 = 1 << 62
}
