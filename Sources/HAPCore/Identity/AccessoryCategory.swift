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
    /// A lock.
    public static let lock = AccessoryCategory(known: 6)
    /// An outlet.
    public static let outlet = AccessoryCategory(known: 7)
    /// A switch.
    public static let `switch` = AccessoryCategory(known: 8)
    /// A thermostat.
    public static let thermostat = AccessoryCategory(known: 9)
    /// A sensor.
    public static let sensor = AccessoryCategory(known: 10)
    /// A security system.
    public static let securitySystem = AccessoryCategory(known: 11)
    /// A door.
    public static let door = AccessoryCategory(known: 12)
    /// A window.
    public static let window = AccessoryCategory(known: 13)
    /// Blinds or curtains.
    public static let windowCovering = AccessoryCategory(known: 14)
    /// Buttons.
    public static let programmableSwitch = AccessoryCategory(known: 15)
    /// A range extender.
    public static let rangeExtender = AccessoryCategory(known: 16)
    /// A camera.
    public static let ipCamera = AccessoryCategory(known: 17)
    /// A doorbell with a camera.
    public static let videoDoorbell = AccessoryCategory(known: 18)
    /// An air purifier.
    public static let airPurifier = AccessoryCategory(known: 19)
    /// A heater.
    public static let heater = AccessoryCategory(known: 20)
    /// An air conditioner.
    public static let airConditioner = AccessoryCategory(known: 21)
    /// A humidifier.
    public static let humidifier = AccessoryCategory(known: 22)
    /// A dehumidifier.
    public static let dehumidifier = AccessoryCategory(known: 23)
    /// An Apple TV.
    public static let appleTV = AccessoryCategory(known: 24)
    /// A HomePod.
    public static let homePod = AccessoryCategory(known: 25)
    /// A speaker.
    public static let speaker = AccessoryCategory(known: 26)
    /// An AirPort base station.
    public static let airPort = AccessoryCategory(known: 27)
    /// A sprinkler.
    public static let sprinkler = AccessoryCategory(known: 28)
    /// A faucet.
    public static let faucet = AccessoryCategory(known: 29)
    /// A shower.
    public static let showerSystem = AccessoryCategory(known: 30)
    /// A television.
    public static let television = AccessoryCategory(known: 31)
    /// A remote control.
    public static let targetController = AccessoryCategory(known: 32)
    /// A router.
    public static let wiFiRouter = AccessoryCategory(known: 33)

    /// Every category with the name used in files and listings.
    public static let names: [(category: AccessoryCategory, name: String)] = [
        (other, "Other"), (bridge, "Bridge"), (fan, "Fan"), (garageDoorOpener, "GarageDoorOpener"),
        (lighting, "Lighting"), (lock, "Lock"), (outlet, "Outlet"), (`switch`, "Switch"), (thermostat, "Thermostat"),
        (sensor, "Sensor"), (securitySystem, "SecuritySystem"), (door, "Door"), (window, "Window"),
        (windowCovering, "WindowCovering"), (programmableSwitch, "ProgrammableSwitch"),
        (rangeExtender, "RangeExtender"), (ipCamera, "IPCamera"), (videoDoorbell, "VideoDoorbell"),
        (airPurifier, "AirPurifier"), (heater, "Heater"), (airConditioner, "AirConditioner"),
        (humidifier, "Humidifier"), (dehumidifier, "Dehumidifier"), (appleTV, "AppleTV"), (homePod, "HomePod"),
        (speaker, "Speaker"), (airPort, "AirPort"), (sprinkler, "Sprinkler"), (faucet, "Faucet"),
        (showerSystem, "ShowerSystem"), (television, "Television"), (targetController, "TargetController"),
        (wiFiRouter, "WiFiRouter"),
    ]
}

extension AccessoryCategory: CustomStringConvertible {
    /// The name, or the number of an unknown category.
    public var description: String {
        Self.names.first { $0.category == self }?.name ?? String(rawValue)
    }
}
