package import AccessoryModel
package import HAPCore

/// A television's speaker: Volume Selector moves Volume by a step, up with 0 and down with 1.
///
/// Turned up, a muted speaker sounds again. A speaker without Volume has a volume of its own, as a reading. Mute and Volume
/// are what is written; Volume Control Type stays as it is.
///
/// No call traps, whatever the values.
package struct TelevisionSpeaker: Behavior {
    private let configuration: Configuration
    private var volume = 50.0
    private var isMuted = false
    private var fitted: Set<CharacteristicType> = [.mute]

    /// Creates a speaker with Volume 50.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over Volume and Mute.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        fitted.formUnion(values.keys)
        volume = LinearTravel.percent(values[.volume]?.finiteDouble ?? 50)
        isMuted = values[.mute]?.isSwitchedOn ?? false
        var ledger = ChangeLedger(known: values)
        ledger.note(self.values)
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        var ledger = ChangeLedger(known: values)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        for write in writes {
            guard let refusal = take(write, noting: &ledger) else { continue }
            refusals[write.type] = refusal
        }
        ledger.note(values)
        return BehaviorResponse(refusals: refusals, changes: ledger.changes)
    }

    package var nextDeadline: MonotonicInstant? {
        nil
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        []
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of Mute, Volume and Volume Selector: somebody uses the keys of the device.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard case .sense(let found) = command, [.mute, .volume, .volumeSelector].contains(found.type) else {
            return nil
        }
        let before = values
        var told = ChangeLedger(known: before)
        guard take(found, noting: &told) == nil else { return nil }
        var ledger = ChangeLedger(known: before)
        ledger.note(values)
        return ledger.changes
    }

    /// Answers with how loud it is as `output`, in percent; 0 while it is muted.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("output", isMuted ? 0 : volume, unit: "%")]
    }
}

extension TelevisionSpeaker {
    /// Takes one write; returns why it is refused, `nil` when it is accepted.
    private mutating func take(_ write: BehaviorChange, noting ledger: inout ChangeLedger) -> HAPStatus? {
        switch write.type {
        case .mute:
            guard let written = write.value.isSwitchedOn else { return .invalidValue }
            isMuted = written
            ledger.stored(BehaviorChange(.mute, .bool(written)))
        case .volume:
            guard let written = write.value.finiteDouble, 0...100 ~= written else { return .invalidValue }
            volume = written
            ledger.stored(write)
        case .volumeSelector:
            guard let isDown = write.value.isSwitchedOn else { return .invalidValue }
            volume = LinearTravel.percent(volume + (isDown ? -configuration.step : configuration.step)).rounded()
            isMuted = isMuted && isDown
        case .volumeControlType:
            return .readOnly
        default:
            break
        }
        return nil
    }

    private var values: [BehaviorChange] {
        [
            BehaviorChange(.volume, .number(JSONNumber(volume) ?? 0)),
            BehaviorChange(.mute, .bool(isMuted)),
        ]
        .filter { fitted.contains($0.type) }
    }
}
