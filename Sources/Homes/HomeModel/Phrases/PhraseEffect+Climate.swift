internal import AccessoryModel
internal import HAPCore

extension PhraseEffect {
    /// Returns the temperature that is in effect.
    ///
    /// In Auto, HomeKit's thermostats keep the temperature between Heating Threshold Temperature and Cooling Threshold
    /// Temperature, and ignore Target Temperature. A heater cooler has only the two thresholds.
    ///
    /// - Throws: ``Refusal`` if both are in effect and the phrase says neither heating nor cooling, or if the device is
    ///   in the other mode.
    func temperature() throws(Refusal) -> CharacteristicType {
        guard conditioning.count < 2 else { throw .hasTwoTemperatures }
        let (mode, conditioning) = (newMode ?? currentMode, conditioning.first)
        switch (mode, conditioning) {
        case (.heat?, .cool?), (.cool?, .heat?): throw .isInMode(mode == .heat ? .heat : .cool)
        default: break
        }
        let hasTarget = isWritable(.targetTemperature)
        let thresholds = [CharacteristicType.heatingThresholdTemperature, .coolingThresholdTemperature]
            .filter(isWritable)
        guard !hasTarget || mode == .automatic, !thresholds.isEmpty else {
            guard hasTarget else { throw .noMeaning }
            return .targetTemperature
        }
        let meant: CharacteristicType? =
            switch conditioning ?? mode {
            case .heat: .heatingThresholdTemperature
            case .cool: .coolingThresholdTemperature
            default: nil
            }
        if let meant, thresholds.contains(meant) { return meant }
        if meant == nil, thresholds.count > 1 { throw .hasTwoTemperatures }
        guard !hasTarget else { return .targetTemperature }
        guard meant == nil, let only = thresholds.first else { throw .noMeaning }
        return only
    }

    /// Checks that "turn off the heating" does not also end the cooling, and the other way around.
    func checkOff() throws(Refusal) {
        guard conditioning.count == 1, let mode = currentMode, !conditioning.contains(mode) else { return }
        throw .offEndsOtherMode(mode)
    }

    /// The current mode: heat, cool or automatic; `nil` if the device is off, or if the mode is not known.
    private var currentMode: PhraseMode? {
        guard let state = modeState, let number = value(state.type)?.number?.double else { return nil }
        return state.numbers.first { Double($0.value) == number }?.key
    }

    /// The state with the mode of the device, and the numbers of the modes; `nil` if it cannot be set.
    var modeState: (type: CharacteristicType, numbers: [PhraseMode: Int])? {
        Self.modeStates.first { isWritable($0.type) }
    }

    private static let modeStates: [(type: CharacteristicType, numbers: [PhraseMode: Int])] = [
        (.targetHeatingCoolingState, [.heat: 1, .cool: 2, .automatic: 3]),
        (.targetHeaterCoolerState, [.automatic: 0, .heat: 1, .cool: 2]),
    ]
}
