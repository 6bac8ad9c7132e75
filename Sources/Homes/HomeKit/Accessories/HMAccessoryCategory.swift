internal import HAPCore

/// The kind of a device.
open class HMAccessoryCategory: NSObject, @unchecked Sendable {
    private let kind: (type: String, words: String)

    init(_ category: AccessoryCategory) {
        kind = Self.kinds[category] ?? (HMAccessoryCategoryTypeOther, "Other")
        super.init()
    }

    /// One of the constants `HMAccessoryCategoryType…`.
    open var categoryType: String { kind.type }
    /// The kind in words, in English.
    open var localizedDescription: String { kind.words }

    private static let kinds: [AccessoryCategory: (type: String, words: String)] = [
        .other: (HMAccessoryCategoryTypeOther, "Other"),
        .bridge: (HMAccessoryCategoryTypeBridge, "Bridge"),
        .fan: (HMAccessoryCategoryTypeFan, "Fan"),
        .garageDoorOpener: (HMAccessoryCategoryTypeGarageDoorOpener, "Garage Door Opener"),
        .lighting: (HMAccessoryCategoryTypeLightbulb, "Lightbulb"),
        .lock: (HMAccessoryCategoryTypeDoorLock, "Door Lock"),
        .outlet: (HMAccessoryCategoryTypeOutlet, "Outlet"),
        .switch: (HMAccessoryCategoryTypeSwitch, "Switch"),
        .thermostat: (HMAccessoryCategoryTypeThermostat, "Thermostat"),
        .sensor: (HMAccessoryCategoryTypeSensor, "Sensor"),
        .securitySystem: (HMAccessoryCategoryTypeSecuritySystem, "Security System"),
        .door: (HMAccessoryCategoryTypeDoor, "Door"),
        .window: (HMAccessoryCategoryTypeWindow, "Window"),
        .windowCovering: (HMAccessoryCategoryTypeWindowCovering, "Window Covering"),
        .programmableSwitch: (HMAccessoryCategoryTypeProgrammableSwitch, "Programmable Switch"),
        .rangeExtender: (HMAccessoryCategoryTypeRangeExtender, "Range Extender"),
        .ipCamera: (HMAccessoryCategoryTypeIPCamera, "IP Camera"),
        .videoDoorbell: (HMAccessoryCategoryTypeVideoDoorbell, "Video Doorbell"),
        .airPurifier: (HMAccessoryCategoryTypeAirPurifier, "Air Purifier"),
        .heater: (HMAccessoryCategoryTypeAirHeater, "Air Heater"),
        .airConditioner: (HMAccessoryCategoryTypeAirConditioner, "Air Conditioner"),
        .humidifier: (HMAccessoryCategoryTypeAirHumidifier, "Air Humidifier"),
        .dehumidifier: (HMAccessoryCategoryTypeAirDehumidifier, "Air Dehumidifier"),
        .appleTV: (HMAccessoryCategoryTypeTelevisionSetTopBox, "Television Set Top Box"),
        .homePod: (HMAccessoryCategoryTypeSpeaker, "Speaker"),
        .speaker: (HMAccessoryCategoryTypeSpeaker, "Speaker"),
        .airPort: (HMAccessoryCategoryTypeAirPort, "AirPort"),
        .sprinkler: (HMAccessoryCategoryTypeSprinkler, "Sprinkler"),
        .faucet: (HMAccessoryCategoryTypeFaucet, "Faucet"),
        .showerSystem: (HMAccessoryCategoryTypeShowerHead, "Shower Head"),
        .television: (HMAccessoryCategoryTypeTelevision, "Television"),
        .wiFiRouter: (HMAccessoryCategoryTypeWiFiRouter, "Wi-Fi Router"),
    ]
}
