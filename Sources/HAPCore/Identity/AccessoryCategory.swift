/// What kind of thing an accessory server is, for the icon that a controller shows while pairing: `ci`.
///
/// HAP: §21
public struct AccessoryCategory: Sendable, Hashable {
    /// 1 to 255; 0 belongs to bridged accessories and is never announced.
    public let rawValue: UInt8

    /// Creates a category from its number, `nil` for 0.
    public init?(_ rawValue: UInt8) {
        guard rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }

    /// Finds a category by its name in any case, such as `garageDoorOpener`; `nil` when there is none.
    public init?(named name: String) {
        guard let found = Self.names.first(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
        self = found.category
    }

    private init(known rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Anything without a category of its own.
    public static let other = AccessoryCategory(known: 1)
    /// A bridge.
    public static let bridge = AccessoryCategory(known: 2)
    /// A fan.
    public static let fan = AccessoryCategory(known: 3)
    /// A garage door opener.
    public static let garageDoorOpener = AccessoryCategory(known: 4)
    /// A lamp.
    public static let lighting = AccessoryCategory(known: 5)

    /// Every category with the name used in files and listings.
    public static let names: [(category: AccessoryCategory, name: String)] = [
        (other, "Other"), (bridge, "Bridge"), (fan, "Fan"), (garageDoorOpener, "GarageDoorOpener"),
        (lighting, "Lighting"), (AccessoryCategory(known: 6), "Lock"), (AccessoryCategory(known: 7), "Outlet"),
        (AccessoryCategory(known: 8), "Switch"), (AccessoryCategory(known: 9), "Thermostat"),
        (AccessoryCategory(known: 10), "Sensor"), (AccessoryCategory(known: 11), "SecuritySystem"),
        (AccessoryCategory(known: 12), "Door"), (AccessoryCategory(known: 13), "Window"),
        (AccessoryCategory(known: 14), "WindowCovering"), (AccessoryCategory(known: 15), "ProgrammableSwitch"),
        (AccessoryCategory(known: 16), "RangeExtender"), (AccessoryCategory(known: 17), "IPCamera"),
        (AccessoryCategory(known: 18), "VideoDoorbell"), (AccessoryCategory(known: 19), "AirPurifier"),
        (AccessoryCategory(known: 20), "Heater"), (AccessoryCategory(known: 21), "AirConditioner"),
        (AccessoryCategory(known: 22), "Humidifier"), (AccessoryCategory(known: 23), "Dehumidifier"),
        (AccessoryCategory(known: 24), "AppleTV"), (AccessoryCategory(known: 25), "HomePod"),
        (AccessoryCategory(known: 26), "Speaker"), (AccessoryCategory(known: 27), "AirPort"),
        (AccessoryCategory(known: 28), "Sprinkler"), (AccessoryCategory(known: 29), "Faucet"),
        (AccessoryCategory(known: 30), "ShowerSystem"), (AccessoryCategory(known: 31), "Television"),
        (AccessoryCategory(known: 32), "TargetController"), (AccessoryCategory(known: 33), "WiFiRouter"),
    ]
}

extension AccessoryCategory: CustomStringConvertible {
    /// The name, or the number of an unknown category.
    public var description: String {
        Self.names.first { $0.category == self }?.name ?? String(rawValue)
    }
}
