/// How much there may be of each thing.
///
/// More than people have, and so little that every rule is checked in a moment, whoever wrote the file.
public enum HomeLimits {
    /// Homes of a person.
    public static let homes = 64
    /// Rooms of a home.
    public static let rooms = 1000
    /// Zones of a home.
    public static let zones = 1000
    /// Rooms of all zones of a home, together.
    public static let zoneRooms = 10_000
    /// Accessories of a home.
    public static let accessories = 2000
    /// Services of a home.
    public static let services = 10_000
    /// Characteristics of a service.
    public static let characteristics = 200
    /// Service groups of a home.
    public static let serviceGroups = 1000
    /// Services of all groups of a home, together.
    public static let groupServices = 20_000
    /// Scenes of a home.
    public static let scenes = 1000
    /// Actions of a scene.
    public static let actions = 2000
    /// Actions of all scenes of a home, together.
    public static let allActions = 50_000
    /// Automations of a home.
    public static let automations = 2000
    /// Scenes and actions of all automations of a home, together.
    public static let automationTargets = 50_000
    /// Users of a home.
    public static let users = 100
    /// Bytes of a time zone's name.
    public static let timeZoneBytes = 64
    /// The greatest number that a thing may have: no edit comes near it.
    public static let number: UInt64 = 1 << 62
}
