package import AccessoryModel
package import HAPCore

/// A doorbell: each press is an event, and its chime sounds for a while unless it is muted.
///
/// The chime is a state of the device that HAP does not carry. Mute and Volume are what is written.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §14
package struct Doorbell: Behavior {
    private let configuration: Configuration
    private var isMuted = false
    private var volume = 100.0
    private var silence: MonotonicInstant?

    /// Creates a doorbell that is not muted, with Volume 100.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over Mute and Volume, and gives a value to what has none; a press is never kept.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        silence = nil
        let standards = [BehaviorChange(.mute, false), BehaviorChange(.volume, 100)]
        isMuted = values[.mute]?.isSwitchedOn ?? false
        volume = values[.volume]?.finiteDouble ?? 100
        return standards.filter { types.contains($0.type) && values[$0.type] == nil }
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        settle(through: now)
        var refusals = Button.refusals(of: writes)
        for write in writes {
            switch write.type {
            case .mute:
                guard let written = write.value.isSwitchedOn else {
                    refusals[write.type] = .invalidValue
                    continue
                }
                isMuted = written
            case .volume:
                guard let written = write.value.finiteDouble else {
                    refusals[write.type] = .invalidValue
                    continue
                }
                volume = written
            default:
                break
            }
        }
        return BehaviorResponse(refusals: refusals)
    }

    /// The end of the chime: nothing changes then that HAP carries, but an observer may want to tell it.
    package var nextDeadline: MonotonicInstant? {
        silence
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        settle(through: now)
        return []
    }

    /// Answers a press with its event, also when it repeats the one before.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard let press = Button.press(command) else { return nil }
        silence = now.advanced(by: max(configuration.chime, .zero))
        settle(through: now)
        return [press]
    }

    /// Answers with how loud the chime sounds as `chime`, in percent; 0 while it is silent or muted.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let isSounding = silence.map { now < $0 } ?? false
        return [BehaviorReading("chime", isSounding && !isMuted ? LinearTravel.percent(volume) : 0, unit: "%")]
    }

    private mutating func settle(through now: MonotonicInstant) {
        if let end = silence, end <= now {
            silence = nil
        }
    }
}

extension Doorbell {
    /// How a doorbell is built.
    package struct Configuration: Sendable, Hashable {
        /// How long its chime sounds.
        ///
        /// 2 s by default; 0 or less makes it silent.
        package var chime: Duration

        /// Creates a configuration; without arguments, of a chime of 2 s.
        package init(chime: Duration = .seconds(2)) {
            self.chime = chime
        }
    }
}

extension Doorbell {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "doorbell",
        "A doorbell with a chime.",
        services: [.doorbell],
        needs: [.programmableSwitchEvent],
        standard: Configuration(),
        parameters: [.duration("chime", \.chime, "How long its chime sounds.")]
    ) { configuration, _ in Doorbell(configuration) }
}
