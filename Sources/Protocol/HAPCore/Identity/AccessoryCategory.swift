/// The category of an accessory server, for the icon that a controller shows during pairing: `ci`.
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

    /// Finds a category by its name in any case, such as `garageDoorOpener`; `nil` if there is none.
    public init?(named name: String) {
        guard let found = Self.names.first(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
        self = found.category
    }

    private init(unchecked rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// An accessory without a more specific category.
    public static let other = AccessoryCategory(unchecked: 1)
    /// A bridge.
    public static let bridge = AccessoryCategory(unchecked: 2)
    /// A fan.
    public static let fan = AccessoryCategory(unchecked: 3)
    /// A garage door opener.
    public static let garageDoorOpener = AccessoryCategory(unchecked: 4)
    /// A lamp.
    public static let lighting = AccessoryCategory(unchecked: 5)
    /// A lock.
    public static let lock = AccessoryCategory(unchecked: 6)
    /// An outlet.
    public static let outlet = AccessoryCategory(unchecked: 7)
    /// A switch.
    public static let `switch` = AccessoryCategory(unchecked: 8)
    /// A thermostat.
    public static let thermostat = AccessoryCategory(unchecked: 9)
    /// A sensor.
    public static let sensor = AccessoryCategory(unchecked: 10)
    /// A security system.
    public static let securitySystem = AccessoryCategory(unchecked: 11)
    /// A door.
    public static let door = AccessoryCategory(unchecked: 12)
    /// A window.
    public static let window = AccessoryCategory(unchecked: 13)
    /// Blinds or curtains.
    public static let windowCovering = AccessoryCategory(unchecked: 14)
    /// Buttons.
    public static let programmableSwitch = AccessoryCategory(unchecked: 15)
    /// A range extender.
    public static let rangeExtender = AccessoryCategory(unchecked: 16)
    /// A camera.
    public static let ipCamera = AccessoryCategory(unchecked: 17)
    /// A doorbell with a camera.
    public static let videoDoorbell = AccessoryCategory(unchecked: 18)
    /// An air purifier.
    public static let airPurifier = AccessoryCategory(unchecked: 19)
    /// A heater.
    public static let heater = AccessoryCategory(unchecked: 20)
    /// An air conditioner.
    public static let airConditioner = AccessoryCategory(unchecked: 21)
    /// A humidifier.
    public static let humidifier = AccessoryCategory(unchecked: 22)
    /// A dehumidifier.
    public static let dehumidifier = AccessoryCategory(unchecked: 23)
    /// An Apple TV.
    public static let appleTV = AccessoryCategory(unchecked: 24)
    /// A HomePod.
    public static let homePod = AccessoryCategory(unchecked: 25)
    /// A speaker.
    public static let speaker = AccessoryCategory(unchecked: 26)
    /// An AirPort base station.
    public static let airPort = AccessoryCategory(unchecked: 27)
    /// A sprinkler.
    public static let sprinkler = AccessoryCategory(unchecked: 28)
    /// A faucet.
    public static let faucet = AccessoryCategory(unchecked: 29)
    /// A shower.
    public static let showerSystem = AccessoryCategory(unchecked: 30)
    /// A television.
    public static let television = AccessoryCategory(unchecked: 31)
    /// A remote control.
    public static let targetController = AccessoryCategory(unchecked: 32)
    /// A router.
    public static let wiFiRouter = AccessoryCategory(unchecked: 33)

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
