internal import HAPCore

extension CharacteristicMetadata {
    /// The value that a characteristic has in a new definition, as a device in a home would report it: 20 °C, a full
    /// battery, a closed door.
    ///
    /// - Returns: `nil` for types whose lowest value is as good as any other. A value out of the range of this
    ///   characteristic becomes the nearest one in it.
    package func firstValue(of type: CharacteristicType) -> CharacteristicValue? {
        guard let value = Self.firstValues[type] else { return nil }
        guard case .number(let number) = value else { return self.value(from: value, isStrict: false) }
        let nearest = min(max(number, minimum ?? number), maximum ?? number)
        return self.value(from: CharacteristicValue.number(nearest), isStrict: false)
    }

    private static let firstValues: [CharacteristicType: CharacteristicValue] = [
        .airQuality: 1, .batteryLevel: 100, .brightness: 100, .carbonDioxideLevel: 400,
        .carbonDioxidePeakLevel: 400, .colorTemperature: 250, .coolingThresholdTemperature: 26,
        .currentAmbientLightLevel: 100, .currentDoorState: 1, .currentRelativeHumidity: 50, .currentTemperature: 20,
        .filterLifeLevel: 100, .heatingThresholdTemperature: 20, .isConfigured: 1, .positionState: 2,
        .relativeHumidityDehumidifierThreshold: 60, .relativeHumidityHumidifierThreshold: 40, .rotationSpeed: 100,
        .securitySystemCurrentState: 3, .securitySystemTargetState: 3, .statusActive: true, .targetDoorState: 1,
        .targetRelativeHumidity: 50, .targetTemperature: 20, .volume: 50, .waterLevel: 100,
    ]
}
