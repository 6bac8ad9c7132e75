package import AccessoryModel
package import HAPCore

/// A device that changes the temperature of a room and reports it as Current Temperature.
///
/// The room also responds to the outside.
package protocol ClimateBehavior: EventDrivenBehavior {
    /// The room of the device.
    var room: RoomClimate { get set }
}

extension ClimateBehavior {
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        setRoomTemperature(found, at: now)
    }

    /// Sets the room's temperature, and returns whether `found` is a temperature.
    mutating func setRoomTemperature(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .currentTemperature, let temperature = found.value.finiteDouble else { return false }
        room.jump(to: temperature, at: now)
        return true
    }

    package mutating func skip(_ duration: Duration) {
        room.skip(duration)
    }

    /// Returns the temperatures of the room and of the outside, as `room` and `outside` in °C.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        let room = advanced(to: now).room
        return [
            DeviceReading("room", room.value(at: now), unit: "°C"),
            DeviceReading("outside", room.outside, unit: "°C"),
        ]
    }
}

extension RoomClimate.Action {
    /// Creates an action from Current Heater Cooler State or Current Humidifier Dehumidifier State.
    init(state: Int?) {
        self =
            switch state {
            case 2: .raising
            case 3: .lowering
            default: .idle
            }
    }

    /// Returns the value of these characteristics: 0 inactive, 1 idle, 2 raising, 3 lowering.
    func state(isActive: Bool) -> Int {
        switch self {
        case .idle: isActive ? 1 : 0
        case .raising: 2
        case .lowering: 3
        }
    }
}

/// The configuration of a room that a thermostat heats and cools.
package struct ClimateConfiguration: Sendable, Hashable {
    /// The mean outside temperature over a day, in °C; 10 by default.
    package var outside: Double = 10
    /// The amplitude of the outside temperature over a day, in °C; 4 by default.
    package var dailyAmplitude: Double = 4
    /// The time in which the room loses 63 % of its difference from the outside; 12 h by default.
    package var insulation = Duration.seconds(12 * 3_600)
    /// The temperature that heating adds per hour, in °C; 4 by default.
    package var heatingRate: Double = 4
    /// The temperature that cooling removes per hour, in °C; 4 by default.
    package var coolingRate: Double = 4
    /// The deviation from the target at which heating or cooling starts again, in °C; 0.5 by default.
    package var hysteresis: Double = 0.5
    /// The step of Current Temperature, in °C; 0.5 by default.
    package var resolution: Double = 0.5

    /// The parameters that files may set.
    static let parameters: [ModelParameter<Self>] = [
        .number("outside", \.outside, -50...50, "The mean temperature outside, in °C."),
        .number(
            "dailyAmplitude",
            \.dailyAmplitude,
            0...30,
            "The amplitude of the outside temperature over a day, in °C."
        ),
        .duration(
            "insulation",
            \.insulation,
            within: .seconds(600) ... .seconds(1_000 * 3_600),
            "The time in which the room loses 63 % of its difference from the outside."
        ),
        .number("heating", \.heatingRate, 0...100, "The temperature that heating adds per hour, in °C."),
        .number("cooling", \.coolingRate, 0...100, "The temperature that cooling removes per hour, in °C."),
        .number(
            "hysteresis",
            \.hysteresis,
            0.1...5,
            "The deviation from the target at which heating or cooling starts again, in °C."
        ),
        .number("resolution", \.resolution, 0.1...5, "The step of Current Temperature, in °C."),
    ]

    /// The environment of the room's temperature.
    var environment: RoomClimate.Environment {
        RoomClimate.Environment(
            outside: outside,
            dailyAmplitude: dailyAmplitude,
            timeConstant: insulation,
            raisingRate: heatingRate,
            loweringRate: coolingRate,
            hysteresis: hysteresis,
            resolution: resolution,
            limits: -100...100
        )
    }
}

/// The characteristics of a device with two thresholds: it raises a quantity to the low one and lowers it to the high
/// one.
///
/// A device with only one threshold has only that function. A device without thresholds has both functions.
struct ThresholdCharacteristics: Sendable {
    /// The mode: 0 for both directions, 1 for raising only, 2 for lowering only.
    let mode: CharacteristicType
    let low: CharacteristicType
    let high: CharacteristicType
    /// The thresholds that are used if the device has no threshold characteristics.
    let defaultRange: ClosedRange<Double>

    /// The characteristics that determine the band.
    var types: [CharacteristicType] { [.active, mode, low, high] }

    /// Sets the default of each characteristic without a value.
    func setDefaults(_ values: inout ServiceValues) {
        values.setDefault(.active, bool: 0)
        if !(values.integer(mode).map { 0...2 ~= $0 } ?? false) {
            values.set(mode, integer: canLower(values) ? (canRaise(values) ? 0 : 2) : 1)
        }
        values.setDefault(low, .roundedNumber(defaultRange.lowerBound))
        values.setDefault(high, .roundedNumber(defaultRange.upperBound))
    }

    /// Returns the requested band.
    ///
    /// - Parameter isAble: Whether nothing else, such as an empty tank, prevents the device from raising the quantity.
    func band(_ values: ServiceValues, canRaise isAble: Bool = true) -> RoomClimate.Band {
        guard values.bool(.active) == true else { return RoomClimate.Band() }
        let mode = values.integer(mode)
        return RoomClimate.Band(
            low: mode != 2 && isAble && canRaise(values) ? values.number(low) ?? defaultRange.lowerBound : nil,
            high: mode != 1 && canLower(values) ? values.number(high) ?? defaultRange.upperBound : nil
        )
    }

    private func canRaise(_ values: ServiceValues) -> Bool {
        values.contains(low) || !values.contains(high)
    }

    private func canLower(_ values: ServiceValues) -> Bool {
        values.contains(high) || !values.contains(low)
    }
}
