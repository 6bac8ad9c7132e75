package import AccessoryModel
package import HAPCore

/// A television: power, input, the keys of its remote control, and media playback.
///
/// * Active has the written value immediately, but the picture appears only after the boot time. Until then keys have
///   no effect. If media is to play, Current Media State is 4, loading, until the picture appears; only then does the
///   media start to load.
/// * If the accessory has Input Source services, Active Identifier is the identifier of one of them; other values are
///   refused with −70410. If the active input is unplugged, the television shows the former one.
/// * Remote Key: play/pause toggles between play and pause, information opens a menu, and back and exit close it. Power
///   Mode Selection opens and closes a menu. The last key and the menu are readings.
/// * Current Media State follows Target Media State, with 4, loading, before it plays. A television that is off plays
///   nothing: Current Media State is 2.
///
/// Names, picture mode, closed captions and brightness hold the written values. Sleep Discovery Mode does not change.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Television: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .activeIdentifier: .number, .targetMediaState: .integer(0...2),
        .currentMediaState: .readOnly,
        .remoteKey: .integer(0...15), .powerModeSelection: .boolean,
    ]
    package static let required: [CharacteristicType] = [.active, .activeIdentifier]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var isActive = false
    /// The time at which the picture appears; `nil` while the television is off, or has booted.
    private var bootEnd: MonotonicInstant?
    private var player: MediaPlayer
    private var inputs: [ServiceKey: Input] = [:]
    /// The identifiers that were active before the present one, the latest last.
    private var formerInputs: [UInt32] = []
    private var lastKey: RemoteKey?
    private var isMenuShown = false

    /// What is known of an input.
    private struct Input: Sendable {
        var identifier: UInt32?
        var isPluggedIn = true
    }

    /// Creates a television that is off.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        player = MediaPlayer(buffering: configuration.buffering)
    }

    /// Adopts the saved values: a television that was on is on, with its picture.
    package mutating func restore(at now: MonotonicInstant) {
        isActive = values.bool(.active) ?? false
        bootEnd = nil
        isMenuShown = false
        (inputs, formerInputs) = ([:], [])
        if values[.activeIdentifier].flatMap(Self.identifier) == nil {
            values.set(.activeIdentifier, 0)
        }
        player.start(target: values[.targetMediaState], current: values[.currentMediaState])
    }

    package var nextEvent: MonotonicInstant? {
        // Media that loads during the boot starts to load again afterwards.
        bootEnd ?? (isActive ? player.playStart : nil)
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        if let picture = bootEnd, picture <= due {
            bootEnd = nil
            if player.target == .play {
                player.setTarget(.stop, at: picture)
                player.setTarget(.play, at: picture)
            }
        }
        player.settle(through: due)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        let isKnown =
            switch write.type {
            case .activeIdentifier:
                Self.identifier(write.value)
                    .map { identifier in
                        inputs.isEmpty || inputs.values.contains { $0.identifier == identifier }
                    } ?? false
            case .remoteKey: RemoteKey(write.value) != nil
            default: true
            }
        return isKnown ? Self.rules[write.type]?.refusal(of: write.value) : .invalidValue
    }

    /// Applies each write immediately, so that a key takes effect in the power state that the writes before it have
    /// set.
    package mutating func apply(_ write: BehaviorChange, at now: MonotonicInstant) {
        if write.type == .activeIdentifier { rememberInput() }
        values.store(write)
        handleChange(write, at: now)
    }

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for Active, Active Identifier, and the media states.
    ///
    /// It works like the keys on the device.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        var found = found
        if found.type == .currentMediaState {
            found.type = .targetMediaState
        }
        guard [.active, .activeIdentifier, .targetMediaState].contains(found.type), refusal(of: found) == nil else {
            return false
        }
        if found.type == .activeIdentifier {
            rememberInput()
            values.set(.activeIdentifier, found.value)
        }
        handleChange(found, at: now)
        return true
    }

    package var observedServices: [ServiceType] { [.inputSource] }

    /// Records the identifiers of the accessory's inputs, and whether they are plugged in.
    package mutating func handleChanges(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant) {
        let known = inputs[service]
        var input = known ?? Input()
        for change in changes {
            switch change.type {
            case .identifier: input.identifier = Self.identifier(change.value)
            case .isConfigured: input.isPluggedIn = change.value.coercedBool ?? true
            default: break
            }
        }
        inputs[service] = input
        // An active input that is unplugged is left as soon as another one is known or plugged in.
        guard known.map({ $0.isPluggedIn != input.isPluggedIn }) ?? true else { return }
        let active = values[.activeIdentifier].flatMap(Self.identifier)
        if inputs.values.contains(where: { $0.identifier == active && !$0.isPluggedIn }) {
            showFormerInput()
        }
    }

    /// Records the active input, to fall back to it.
    private mutating func rememberInput() {
        guard let present = values[.activeIdentifier].flatMap(Self.identifier) else { return }
        formerInputs.removeAll { $0 == present }
        formerInputs = formerInputs.suffix(15) + [present]
    }

    /// Shows the last active input that is plugged in, or else the one with the lowest identifier.
    ///
    /// If none is plugged in, the present one stays.
    private mutating func showFormerInput() {
        let plugged = inputs.values.filter(\.isPluggedIn).compactMap(\.identifier)
        guard let next = formerInputs.last(where: plugged.contains) ?? plugged.min() else { return }
        values.set(.activeIdentifier, .integer(next))
    }

    /// Returns the brightness of the picture, whether a menu is shown, and the last key.
    ///
    /// The readings are `picture`, 0 or 100 %; `menu`, 0 or 1; and `key`, −1 before the first key.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        let isBooting = bootEnd.map { now < $0 } ?? false
        return [
            DeviceReading("picture", isActive && !isBooting ? 100 : 0, unit: "%"),
            DeviceReading("menu", isMenuShown ? 1 : 0, unit: ""),
            DeviceReading("key", Double(lastKey?.rawValue ?? -1), unit: ""),
        ]
    }

    private mutating func handleChange(_ change: BehaviorChange, at now: MonotonicInstant) {
        switch change.type {
        case .active: setActive(change.value.coercedBool == true, at: now)
        case .targetMediaState: MediaState(change.value).map { player.setTarget($0, at: now) }
        case .remoteKey: RemoteKey(change.value).map { press($0, at: now) }
        case .powerModeSelection: isMenuShown = isActive && bootEnd == nil && change.value.coercedBool == false
        default: break
        }
        updateValues()
    }

    private mutating func setActive(_ isOn: Bool, at now: MonotonicInstant) {
        guard isOn != isActive else { return }
        isActive = isOn
        isMenuShown = false
        bootEnd = isOn ? now.advanced(by: max(configuration.bootDuration, .zero)) : nil
    }

    private mutating func press(_ key: RemoteKey, at now: MonotonicInstant) {
        guard isActive, bootEnd == nil else { return }
        lastKey = key
        switch key {
        case .playPause: player.setTarget(player.target == .play ? .pause : .play, at: now)
        case .information: isMenuShown = true
        case .back, .exit: isMenuShown = false
        case .rewind, .fastForward, .nextTrack, .previousTrack, .arrowUp, .arrowDown, .arrowLeft, .arrowRight, .select:
            break
        }
    }

    package mutating func updateValues() {
        values.set(.active, integer: isActive ? 1 : 0)
        values.set(.targetMediaState, integer: player.target.rawValue)
        values.set(.currentMediaState, integer: currentMediaState)
    }

    private var currentMediaState: Int {
        guard isActive else { return MediaState.stop.rawValue }
        // Media to play is loading until the picture appears.
        return bootEnd != nil && player.target == .play ? MediaPlayer.loadingState : player.current
    }

    private static func identifier(_ value: CharacteristicValue) -> UInt32? {
        value.number?.integer()
    }

    /// The configuration of a television.
    package struct Configuration: Sendable, Hashable {
        /// The time from Active 1 until the picture appears.
        ///
        /// 5 s by default; 0 or less makes it immediate.
        package var bootDuration = Duration.seconds(5)
        /// The time before playback begins.
        ///
        /// 1 s by default; 0 or less makes it immediate.
        package var buffering = Duration.seconds(1)
    }
}

/// The values of Remote Key: the keys of a television's remote control.
package enum RemoteKey: Int, IntegerState {
    case rewind = 0
    case fastForward, nextTrack, previousTrack
    case arrowUp, arrowDown, arrowLeft, arrowRight
    case select, back, exit, playPause
    case information = 15
}

extension Television {
    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "television",
        "A television with inputs, a remote control and media playback.",
        services: [.television],
        defaults: Configuration(),
        parameters: [
            .duration("bootDuration", \.bootDuration, "The time from Active until the picture appears."),
            .duration("buffering", \.buffering, "The time before playback begins."),
        ]
    ) { configuration, _ in Television(configuration) }
}

/// An input of a television, with its cable.
///
/// Current Visibility State follows Target Visibility State immediately. While the cable is unplugged, Is Configured is 0,
/// and the input is hidden; the target keeps what controllers want. A controller that writes Is Configured does the same
/// as the cable.
///
/// HAP: §20
package struct InputSource: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .targetVisibilityState: .boolean, .currentVisibilityState: .readOnly, .isConfigured: .boolean,
    ]
    package static let required: [CharacteristicType] = [.currentVisibilityState]
    package static let controls: [CharacteristicType: [CharacteristicType]] = [
        .currentVisibilityState: [.targetVisibilityState]
    ]

    package var values = ServiceValues(Self.required)
    private var isPluggedIn = true
    /// Whether the input is hidden although it is plugged in and has no target.
    private var isHidden = false

    /// Creates an input that is plugged in and shown.
    init() {}

    /// Adopts Is Configured and the saved target; without a target, the saved current state.
    package mutating func restore(at now: MonotonicInstant) {
        isPluggedIn = values.bool(.isConfigured) ?? true
        isHidden = isPluggedIn && values.bool(.currentVisibilityState) == true
        values.set(.isConfigured, integer: isPluggedIn ? 1 : 0)
        if values.bool(.targetVisibilityState) == nil {
            values.set(.targetVisibilityState, integer: isHidden ? 1 : 0)
        }
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        for write in writes where write.type == .isConfigured {
            isPluggedIn = write.value.coercedBool ?? isPluggedIn
        }
    }

    package mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .plug: isPluggedIn = true
        case .unplug: isPluggedIn = false
        case .stop, .obstruct, .clearObstruction, .press, .applySensorInput: return false
        }
        values.set(.isConfigured, integer: isPluggedIn ? 1 : 0)
        return true
    }

    package mutating func updateValues() {
        let isHidden = !isPluggedIn || values.bool(.targetVisibilityState) ?? isHidden
        values.set(.currentVisibilityState, integer: isHidden ? 1 : 0)
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "inputSource",
        "An input of a television, which controllers show or hide, and whose cable can be pulled out.",
        services: [.inputSource],
        defaults: ()
    ) { _, _ in InputSource() }
}
