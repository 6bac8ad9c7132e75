package import HAPCore

extension AccessoryCategory {
    /// Creates the category for the type of an accessory's first service that users see; `other` if no category fits.
    package init(primaryServiceType type: ServiceType?) {
        self = type.flatMap { Self.categories[$0] } ?? .other
    }

    private static let categories: [ServiceType: AccessoryCategory] = [
        .fan: .fan, .fanv2: .fan,
        .garageDoorOpener: .garageDoorOpener,
        .lightbulb: .lighting,
        .lockMechanism: .lock, .lockManagement: .lock,
        .outlet: .outlet,
        .switch: .switch,
        .thermostat: .thermostat,
        .airQualitySensor: .sensor, .carbonDioxideSensor: .sensor, .carbonMonoxideSensor: .sensor,
        .contactSensor: .sensor, .humiditySensor: .sensor, .leakSensor: .sensor, .lightSensor: .sensor,
        .motionSensor: .sensor, .occupancySensor: .sensor, .smokeSensor: .sensor, .temperatureSensor: .sensor,
        .securitySystem: .securitySystem,
        .door: .door,
        .window: .window,
        .windowCovering: .windowCovering, .slats: .windowCovering,
        .statelessProgrammableSwitch: .programmableSwitch, .statefulProgrammableSwitch: .programmableSwitch,
        .cameraRTPStreamManagement: .ipCamera,
        .doorbell: .videoDoorbell,
        .airPurifier: .airPurifier,
        .heaterCooler: .airConditioner,
        .humidifierDehumidifier: .humidifier,
        .speaker: .speaker, .smartSpeaker: .speaker,
        .irrigationSystem: .sprinkler, .valve: .sprinkler,
        .faucet: .faucet,
        .television: .television, .inputSource: .television,
        .targetControl: .targetController, .targetControlManagement: .targetController,
        .wiFiRouter: .wiFiRouter,
    ]
}
