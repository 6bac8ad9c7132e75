package import AccessoryModel
package import HAPCore

/// A television: power, input, keys of its remote control, and what it plays.
///
/// * Active reads as written; the picture comes after the time that it takes to boot. Keys do nothing until then, and
///   what is to play begins to load then.
/// * Active Identifier is one of the identifiers of the accessory's Input Source services: another one is refused with
///   −70410, as far as there are any.
/// * Remote Key: play/pause turns from play to pause and back, select chooses, back and exit leave a menu that information
///   opens. Power Mode Selection opens a menu and closes it. The last key and the menu are readings.
/// * Target Media State is what Current Media State becomes, with 4, loading, in between when it is to play; a television
///   that is off plays nothing: Current Media State is 2.
///
/// Names, picture mode, closed captions and brightness are what is written. Sleep Discovery Mode stays as it is.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Television: Behavior {
    private let configuration: Configuration
    private var isActive = false
    /// When there is a picture; `nil` while it is off or on.
    private var boot: MonotonicInstant?
    private var player: MediaPlayer
    private var input: UInt32 = 0
    private var inputs: [ServiceKey: UInt32] = [:]
    private var lastKey: RemoteKey?
    private var isMenuShown = false
    private var fitted: Set<CharacteristicType> = [.active, .activeIdentifier]

    /// Creates a television that is off.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        player = MediaPlayer(buffering: configuration.buffering)
    }

    /// Takes over the kept values: a television that was on is, with its picture.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        fitted.formUnion(values.keys)
        isActive = values[.active]?.isSwitchedOn ?? false
        input = values[.activeIdentifier]?.number?.integer() ?? 0
        player.start(target: values[.targetMediaState], current: values[.currentMediaState])
        var ledger = ChangeLedger(known: values)
        ledger.note(self.values)
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        var ledger = ChangeLedger(known: values)
        settle(through: now, noting: &ledger)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        for write in writes {
            if let refusal = take(write, at: now) {
                refusals[write.type] = refusal
            } else if values.contains(where: { $0.type == write.type }) {
                ledger.stored(write)
            }
        }
        settle(through: now, noting: &ledger)
        return BehaviorResponse(refusals: refusals, changes: ledger.changes)
    }

    package var nextDeadline: MonotonicInstant? {
        // What loads while it boots is begun again when it has.
        boot ?? (isActive ? player.playing : nil)
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        var ledger = ChangeLedger(known: values)
        settle(through: now, noting: &ledger)
        return ledger.changes
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of Active, Active Identifier, Target and Current Media State: somebody uses the
    /// keys of the device.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard case .sense(let found) = command else { return nil }
        var ledger = ChangeLedger(known: values)
        var changed = self
        changed.settle(through: now, noting: &ledger)
        switch found.type {
        case .active, .activeIdentifier, .targetMediaState:
            guard changed.take(found, at: now) == nil else { return nil }
        case .currentMediaState:
            guard changed.take(BehaviorChange(.targetMediaState, found.value), at: now) == nil else { return nil }
        default:
            return nil
        }
        changed.settle(through: now, noting: &ledger)
        self = changed
        return ledger.changes
    }

    package var heededServices: [ServiceType] {
        [.inputSource]
    }

    /// Learns of the inputs that the accessory has.
    package mutating func heed(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        for change in changes where change.type == .identifier {
            inputs[service] = change.value.number?.integer()
        }
        return advance(to: now)
    }

    /// Answers with how bright the picture is as `picture`, 0 or 100 %, whether a menu is shown as `menu`, and the last key
    /// as `key`, −1 before the first.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let isBooting = boot.map { now < $0 } ?? false
        return [
            BehaviorReading("picture", isActive && !isBooting ? 100 : 0, unit: "%"),
            BehaviorReading("menu", isMenuShown ? 1 : 0, unit: ""),
            BehaviorReading("key", Double(lastKey?.rawValue ?? -1), unit: ""),
        ]
    }
}

extension Television {
    /// Takes one write; returns why it is refused, `nil` when it is accepted.
    private mutating func take(_ write: BehaviorChange, at now: MonotonicInstant) -> HAPStatus? {
        switch write.type {
        case .active:
            guard let isOn = write.value.isSwitchedOn else { return .invalidValue }
            turn(on: isOn, at: now)
        case .activeIdentifier:
            guard let chosen: UInt32 = write.value.number?.integer() else { return .invalidValue }
            guard inputs.isEmpty || inputs.values.contains(chosen) else { return .invalidValue }
            input = chosen
        case .targetMediaState:
            guard let state = MediaState(write.value) else { return .invalidValue }
            player.turn(to: state, at: now)
        case .remoteKey:
            guard let key = RemoteKey(write.value) else { return .invalidValue }
            press(key, at: now)
        case .powerModeSelection:
            guard let isHidden = write.value.isSwitchedOn else { return .invalidValue }
            isMenuShown = isActive && boot == nil && !isHidden
        case .currentMediaState:
            return .readOnly
        default:
            break
        }
        return nil
    }

    private mutating func turn(on isOn: Bool, at now: MonotonicInstant) {
        guard isOn != isActive else { return }
        isActive = isOn
        isMenuShown = false
        boot = isOn ? now.advanced(by: max(configuration.boots, .zero)) : nil
    }

    private mutating func press(_ key: RemoteKey, at now: MonotonicInstant) {
        guard isActive, boot == nil else { return }
        lastKey = key
        switch key {
        case .playPause: player.turn(to: player.target == .play ? .pause : .play, at: now)
        case .information: isMenuShown = true
        case .back, .exit: isMenuShown = false
        case .rewind, .fastForward, .nextTrack, .previousTrack, .arrowUp, .arrowDown, .arrowLeft, .arrowRight, .select:
            break
        }
    }

    /// Goes from deadline to deadline, so that what one of them sets off begins then and not at `now`.
    private mutating func settle(through now: MonotonicInstant, noting ledger: inout ChangeLedger) {
        if let picture = boot, picture <= now {
            boot = nil
            if player.target == .play {
                player.turn(to: .stop, at: picture)
                player.turn(to: .play, at: picture)
            }
        }
        player.settle(through: now)
        ledger.note(values)
    }

    private var values: [BehaviorChange] {
        [
            BehaviorChange(.active, .integer(isActive ? 1 : 0)),
            BehaviorChange(.activeIdentifier, .integer(input)),
            BehaviorChange(.targetMediaState, .integer(player.target.rawValue)),
            BehaviorChange(.currentMediaState, .integer(currentMediaState)),
        ]
        .filter { fitted.contains($0.type) }
    }

    private var currentMediaState: Int {
        guard isActive else { return MediaState.stop.rawValue }
        // What is to play is loading until there is a picture.
        return boot != nil && player.target == .play ? MediaPlayer.loading : player.current
    }
}
