package import AccessoryModel

/// An air purifier that takes a while to get up to speed.
///
/// * Active starts and stops it; Rotation Speed, where the service has it, is how fast it turns.
/// * Current Air Purifier State is 0 inactive, 1 idle while it gets up to speed, stands at speed 0 or rests, and 2
///   purifying.
/// * While Target Air Purifier State is 1, automatic, it purifies for a while and rests for a while.
///
/// The life of its filter is the ``FilterLife`` of the accessory's Filter Maintenance service.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct AirPurifier: BlowerDriven {
    package static let rules: WriteRules = [
        .active: .state, .rotationSpeed: .number, .targetAirPurifierState: .state, .currentAirPurifierState: .measured,
    ]
    package static let required: [CharacteristicType] = [.active, .targetAirPurifierState, .currentAirPurifierState]
    package static let switches = [BehaviorChange(.active, 0)]
    package static let target = CharacteristicType.targetAirPurifierState
    package static let current = CharacteristicType.currentAirPurifierState

    package var values = ServiceValues(Self.required)
    package var blower: Blower

    /// Creates an air purifier that stands still.
    package init(_ configuration: BlowerConfiguration = BlowerConfiguration()) {
        blower = Blower(configuration)
    }
}
