package import AccessoryModel

/// A fan that takes a while to get up to speed, of either of the two service types.
///
/// * Active, or On of the older type, starts and stops it; Rotation Speed, where the service has it, is how fast it turns.
/// * Current Fan State, where the service has it, is 0 inactive, 1 idle while it gets up to speed, stands at speed 0 or rests,
///   and 2 blowing.
/// * While Target Fan State is 1, automatic, it blows for a while and rests for a while.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Fan: BlowerDriven {
    package static let rules: WriteRules = [
        .active: .state, .on: .state, .rotationSpeed: .number, .targetFanState: .state, .currentFanState: .measured,
    ]
    /// Which characteristic starts it depends on the service's type.
    package static let required: [CharacteristicType] = []

    package static let switches = [BehaviorChange(.active, 0), BehaviorChange(.on, false)]
    package static let target = CharacteristicType.targetFanState
    package static let current = CharacteristicType.currentFanState

    package var values = ServiceValues()
    package var blower: Blower

    /// Creates a fan that stands still.
    package init(_ configuration: BlowerConfiguration = BlowerConfiguration()) {
        blower = Blower(configuration)
    }
}
