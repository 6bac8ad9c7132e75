internal import AccessoryModel
internal import HAPCore

extension AccessoryCategory {
    /// Creates the category for the type of an accessory's first service that users see; `other` if no category fits.
    init(primaryServiceType type: ServiceType?) {
        self =
            switch type {
            case .fan, .fanv2: .fan
            case .garageDoorOpener: .garageDoorOpener
            case .lightbulb: .lighting
            case .lockMechanism, .lockManagement: .lock
            case .outlet: .outlet
            case .switch: .switch
            case .thermostat: .thermostat
            case .airQualitySensor, .carbonDioxideSensor, .carbonMonoxideSensor, .contactSensor, .humiditySensor,
                .leakSensor, .lightSensor, .motionSensor, .occupancySensor, .smokeSensor, .temperatureSensor:
                .sensor
            case .securitySystem: .securitySystem
            case .door: .door
            case .window: .window
            case .windowCovering, .slats: .windowCovering
            case .statelessProgrammableSwitch, .statefulProgrammableSwitch: .programmableSwitch
            case .cameraRTPStreamManagement: .ipCamera
            case .doorbell: .videoDoorbell
            case .airPurifier: .airPurifier
            case .heaterCooler: .airConditioner
            case .humidifierDehumidifier: .humidifier
            case .speaker, .smartSpeaker: .speaker
            case .irrigationSystem, .valve: .sprinkler
            case .faucet: .faucet
            case .television, .inputSource: .television
            case .targetControl, .targetControlManagement: .targetController
            case .wiFiRouter: .wiFiRouter
            default: .other
            }
    }
}
