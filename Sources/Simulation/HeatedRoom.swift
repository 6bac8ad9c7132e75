package import AccessoryModel
package import HAPCore

/// A device in a room that follows it and the outside, and that it tells as Current Temperature.
package protocol HeatedRoom: EventDriven {
    /// The room.
    var room: RoomClimate { get set }

    /// Tells what the device does, and the room.
    mutating func tell()
}

extension HeatedRoom {
    /// Lets the room be as it is told; returns whether it is told its temperature.
    mutating func senses(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard found.type == .currentTemperature, let temperature = found.value.finiteDouble else { return false }
        room.jump(to: temperature, at: now)
        tell()
        return true
    }

    package mutating func skip(_ duration: Duration) {
        room.skip(duration)
    }

    /// Answers with the temperatures of the room and of the outside, as `room` and `outside` in °C.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let room = settled(at: now).room
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
