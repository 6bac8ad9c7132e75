package import AccessoryModel
package import HAPCore

/// A device in a room that follows it and the outside, and that it tells as Current Temperature.
package protocol ClimateBehavior: EventDrivenBehavior {
    /// The room.
    var room: RoomClimate { get set }
}

extension ClimateBehavior {
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        setRoomTemperature(found, at: now)
    }

    /// Sets the room's temperature; returns whether `found` is one.
    mutating func setRoomTemperature(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .currentTemperature, let temperature = found.value.finiteDouble else { return false }
        room.jump(to: temperature, at: now)
        return true
    }

    package mutating func skip(_ duration: Duration) {
        room.skip(duration)
    }

    /// Answers with the temperatures of the room and of the outside, as `room` and `outside` in °C.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let room = advanced(to: now).room
        return [
            BehaviorReading("room", room.value(at: now), unit: "°C"),
            BehaviorReading("outside", room.outside, unit: "°C"),
        ]
    }
}

extension RoomClimate.Action {
    /// What Current Heater Cooler State tells, or Current Humidifier Dehumidifier State.
    init(state: Int?) {
        self =
            switch state {
            case 2: .raising
            case 3: .lowering
            default: .idle
            }
    }

    /// What these characteristics tell of it: 0 inactive, 1 idle, 2 raising, 3 lowering.
    func state(isActive: Bool) -> Int {
        switch self {
        case .idle: isActive ? 1 : 0
        case .raising: 2
        case .lowering: 3
        }
    }
}

/// How a room is built that a thermostat warms and cools.
package struct ClimateConfiguration: Sendable, Hashable {
    /// The outside in °C, 10 by default: its mean over a day.
    package var outside: Double = 10
    /// How far the outside goes up and down around its mean in the course of a day, in °C; 4 by default.
    package var dailyAmplitude: Double = 4
    /// How long a room takes to lose 63 % of what it is warmer than the outside; 12 h by default.
    package var insulation = Duration.seconds(12 * 3_600)
    /// What the heating adds in an hour, in °C; 4 by default.
    package var heatingRate: Double = 4
    /// What the cooling takes away in an hour, in °C; 4 by default.
    package var coolingRate: Double = 4
    /// How far the room leaves what is wanted before heating or cooling begins again, in °C; 0.5 by default.
    package var hysteresis: Double = 0.5
    /// At which multiples Current Temperature changes, in °C; 0.5 by default.
    package var resolution: Double = 0.5

    /// What files may set.
    static let parameters: [ModelParameter<Self>] = [
        .number("outside", \.outside, -50...50, "The mean temperature outside, in °C."),
        .number(
            "dailyAmplitude",
            \.dailyAmplitude,
            0...30,
            "How far the outside goes up and down in the course of a day, in °C."
        ),
        .duration(
            "insulation",
            \.insulation,
            within: .seconds(600) ... .seconds(1_000 * 3_600),
            "How long the room takes to lose 63 % of what it is warmer than the outside."
        ),
        .number("heating", \.heatingRate, 0...100, "What the heating adds in an hour, in °C."),
        .number("cooling", \.coolingRate, 0...100, "What the cooling takes away in an hour, in °C."),
        .number(
            "hysteresis",
            \.hysteresis,
            0.1...5,
            "How far the room leaves what is wanted before heating or cooling begins again, in °C."
        ),
        .number("resolution", \.resolution, 0.1...5, "At which multiples Current Temperature changes, in °C."),
    ]

    /// The room's temperature as a quantity that is raised and lowered.
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

/// What a device with two thresholds is to reach: it raises a quantity to the low one and lowers it to the high one.
///
/// A device that has one threshold alone does nothing else. One without any does both.
struct ThresholdCharacteristics: Sendable {
    /// 0 for both directions, 1 for raising alone, 2 for lowering alone.
    let mode: CharacteristicType
    let low: CharacteristicType
    let high: CharacteristicType
    /// The thresholds of a device that has none.
    let defaultRange: ClosedRange<Double>

    /// The characteristics that it depends on.
    var types: [CharacteristicType] { [.active, mode, low, high] }

    /// Gives a value to each of them that has none.
    func setDefaults(_ values: inout ServiceValues) {
        values.setDefault(.active, bool: 0)
        if !(values.integer(mode).map { 0...2 ~= $0 } ?? false) {
            values.set(mode, integer: canLower(values) ? (canRaise(values) ? 0 : 2) : 1)
        }
        values.setDefault(low, .roundedNumber(defaultRange.lowerBound))
        values.setDefault(high, .roundedNumber(defaultRange.upperBound))
    }

    /// What is wanted at the moment.
    ///
    /// - Parameter isAble: Whether nothing else keeps the device from raising the quantity.
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
