package import AccessoryModel

extension BinarySensor {
    /// What a sensor is there for.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Somebody moves.
        case motion
        /// Somebody is there.
        case occupancy
        /// A door or a window is open: it has lost its contact.
        case contact
        /// There is water.
        case leak
        /// There is smoke.
        case smoke

        /// The characteristic that tells it.
        package var type: CharacteristicType {
            switch self {
            case .motion: .motionDetected
            case .occupancy: .occupancyDetected
            case .contact: .contactSensorState
            case .leak: .leakDetected
            case .smoke: .smokeDetected
            }
        }

        /// What the characteristic says.
        func value(isTriggered: Bool) -> CharacteristicValue {
            switch self {
            case .motion: .bool(isTriggered)
            case .occupancy, .contact, .leak, .smoke: .integer(isTriggered ? 1 : 0)
            }
        }
    }
}
