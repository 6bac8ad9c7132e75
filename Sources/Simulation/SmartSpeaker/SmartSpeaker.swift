package import AccessoryModel
package import HAPCore

/// A smart speaker: Current Media State follows Target Media State, at once to pause and to stop, with 4, loading, for a
/// while before it plays.
///
/// Volume, Mute and the rest are what is written.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct SmartSpeaker: Behavior {
    private var player: MediaPlayer

    /// Creates a speaker that plays nothing.
    package init(_ configuration: Configuration = Configuration()) {
        player = MediaPlayer(buffering: configuration.buffering)
    }

    /// Takes over the target: what was loading has loaded.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        player.start(target: values[.targetMediaState], current: values[.currentMediaState])
        var ledger = ChangeLedger(known: values)
        ledger.note(player.values)
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        var ledger = ChangeLedger(known: player.values)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        player.settle(through: now)
        ledger.note(player.values)
        for write in writes {
            switch write.type {
            case .targetMediaState:
                guard let state = MediaState(write.value) else {
                    refusals[write.type] = .invalidValue
                    continue
                }
                player.turn(to: state, at: now)
                ledger.stored(write)
            case .currentMediaState:
                refusals[write.type] = .readOnly
            default:
                break
            }
        }
        ledger.note(player.values)
        return BehaviorResponse(refusals: refusals, changes: ledger.changes)
    }

    package var nextDeadline: MonotonicInstant? {
        player.playing
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        var ledger = ChangeLedger(known: player.values)
        player.settle(through: now)
        ledger.note(player.values)
        return ledger.changes
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of the media states: somebody uses the keys of the device.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard case .sense(let found) = command,
            found.type == .targetMediaState || found.type == .currentMediaState,
            let state = MediaState(found.value)
        else { return nil }
        var ledger = ChangeLedger(known: player.values)
        player.settle(through: now)
        player.turn(to: state, at: now)
        ledger.note(player.values)
        return ledger.changes
    }
}
