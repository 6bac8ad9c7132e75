internal import AccessoryModel
internal import HAPCore

/// The HomeKit side of a media receiver: the simulated television or speaker, with its inputs and its volume.
///
/// It contains the device that is simulated without a receiver. While the receiver plays, the media states of HomeKit are
/// those of the receiver, and an input that belongs to it is shown; then, the former input is shown again. Volume and Mute
/// of a television are those of its service Speaker.
struct ReceiverServices: Sendable {
    static let mediaStates: Set<CharacteristicType> = [.currentMediaState, .targetMediaState]

    /// What is known of an input.
    struct Input: Sendable {
        fileprivate(set) var identifier: CharacteristicValue?
        fileprivate(set) var names: [CharacteristicType: String] = [:]
        /// The value of Input Source Type.
        fileprivate(set) var type: Int?
        fileprivate var isPluggedIn = true
    }

    /// The volume in percent, and whether the sound is off.
    struct Volume: Sendable, Hashable {
        var percent = 100
        var isMuted = false
    }

    /// Whether Volume and Mute are in another service.
    let hasSpeaker: Bool
    private var base: (any Behavior)?
    /// The values as the owner knows them.
    private(set) var known: [CharacteristicType: CharacteristicValue] = [:]
    private var types: Set<CharacteristicType> = []
    /// The media states of the device without a receiver.
    private var baseStates: [CharacteristicType: CharacteristicValue] = [:]
    private var inputs: [ServiceKey: Input] = [:]
    /// The identifiers of the inputs that were shown before the present one, the latest last.
    private var formerInputs: [CharacteristicValue] = []
    /// What HomeKit shows; of a television, what its speaker shows.
    private var publishedVolume = Volume()
    /// Whether the volume of the speaker is known, which may not be changed before.
    private var isSpeakerKnown = false
    /// Changes of the service Speaker since the last call of ``takeEffects()``.
    private var effects: [DeviceEffect] = []

    /// - Parameter base: The device without a receiver; `nil` if it is not simulated.
    init(_ type: ServiceType, _ base: (any Behavior)?) {
        self.base = base
        hasSpeaker = type == .television
    }

    /// Takes over what the device before it has shown.
    mutating func adopt(_ former: ReceiverServices) {
        (publishedVolume, formerInputs) = (former.publishedVolume, former.formerInputs)
    }

    mutating func takeEffects() -> [DeviceEffect] {
        defer { effects = [] }
        return effects
    }

    // MARK: Behavior

    mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        known = values
        self.types = Set(types)
        for type in Self.mediaStates { baseStates[type] = values[type] }
        let changes = adopt(base?.start(with: values, of: types, at: now) ?? [])
        // What was played last is over.
        stopBase(at: now)
        return changes
    }

    /// Returns the response of the device, and the writes that it accepts.
    mutating func write(
        _ writes: [BehaviorChange],
        at now: MonotonicInstant
    ) -> (response: BehaviorResponse, accepted: [BehaviorChange]) {
        var response = base?.write(writes, at: now) ?? BehaviorResponse()
        let accepted = writes.filter { response.refusals[$0.type] == nil }
        for write in accepted {
            setKnown(write)
            if Self.mediaStates.contains(write.type) { baseStates[write.type] = write.value }
        }
        response.changes = adopt(response.changes)
        return (response, accepted)
    }

    var nextDeadline: MonotonicInstant? { base?.nextDeadline }

    mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] { adopt(base?.advance(to: now) ?? []) }

    /// Performs a command, and returns `nil` if the device does not have it.
    mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        base?.perform(command, at: now).map { adopt($0) }
    }

    func controls(of type: CharacteristicType) -> [CharacteristicType]? { base?.controls(of: type) }

    var observedServices: [ServiceType] {
        hasSpeaker ? (base?.observedServices ?? [.inputSource]) + [.speaker] : base?.observedServices ?? []
    }

    mutating func observe(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        if service.type == .speaker {
            publishedVolume = volume(from: Dictionary(changes), publishedVolume)
            isSpeakerKnown = true
        } else {
            for change in changes {
                switch change.type {
                case .identifier: inputs[service, default: Input()].identifier = change.value
                case .isConfigured:
                    inputs[service, default: Input()].isPluggedIn = change.value.coercedBool ?? true
                case .inputSourceType: inputs[service, default: Input()].type = change.value.coercedInteger
                case .configuredName, .name: inputs[service, default: Input()].names[change.type] = change.value.string
                default: break
                }
            }
        }
        guard service.type != .speaker || base?.observedServices.contains(.speaker) ?? false else { return [] }
        return adopt(base?.observe(changes, of: service, at: now) ?? [])
    }

    func readings(at now: MonotonicInstant) -> [DeviceReading] { base?.readings(at: now) ?? [] }

    // MARK: Inputs

    /// The inputs in the order of their services.
    var sortedInputs: [Input] { inputs.sorted { $0.key.path < $1.key.path }.map(\.value) }

    /// The input that is shown.
    var shownInput: Input? {
        sortedInputs.first { $0.identifier != nil && $0.identifier == known[.activeIdentifier] }
    }

    /// Shows an input of the receiver; with `nil`, the last one before it that is plugged in.
    ///
    /// Without an input of the receiver, nothing changes if the user has chosen another one meanwhile.
    ///
    /// - Parameter isOwn: Returns whether an input belongs to the receiver.
    mutating func show(
        _ input: Input?,
        at now: MonotonicInstant,
        isOwn: (Input) -> Bool
    ) -> [BehaviorChange] {
        if let identifier = input?.identifier {
            guard identifier != known[.activeIdentifier] else { return [] }
            return operate(BehaviorChange(.activeIdentifier, identifier), at: now)
        }
        guard shownInput.map(isOwn) ?? false else { return [] }
        let others = inputs.values.filter { $0.isPluggedIn && !isOwn($0) }.compactMap(\.identifier)
        let first = others.min { ($0.finiteDouble ?? 0) < ($1.finiteDouble ?? 0) }
        guard let other = formerInputs.last(where: others.contains) ?? first else { return [] }
        return operate(BehaviorChange(.activeIdentifier, other), at: now)
    }

    // MARK: Values

    /// Takes over the changes of the device without a receiver, and returns those that HomeKit sees.
    private mutating func adopt(_ changes: [BehaviorChange]) -> [BehaviorChange] {
        changes.filter { change in
            guard Self.mediaStates.contains(change.type) else {
                setKnown(change)
                return true
            }
            baseStates[change.type] = change.value
            return false
        }
    }

    /// Changes a value of the device without a receiver, as a key of it does.
    mutating func operate(_ change: BehaviorChange, at now: MonotonicInstant) -> [BehaviorChange] {
        if let moved = base?.perform(.applySensorInput(change), at: now) { return adopt(moved) }
        guard types.contains(change.type) else { return [] }
        setKnown(change)
        return [change]
    }

    private mutating func setKnown(_ change: BehaviorChange) {
        if change.type == .activeIdentifier, let former = known[.activeIdentifier], former != change.value {
            formerInputs.removeAll { $0 == former }
            formerInputs = formerInputs.suffix(15) + [former]
        }
        known[change.type] = change.value
    }

    /// Makes the device without a receiver play nothing: it has followed what HomeKit wrote for the receiver.
    mutating func stopBase(at now: MonotonicInstant) {
        let stop = CharacteristicValue.integer(MediaState.stop.rawValue)
        if let moved = base?.perform(.applySensorInput(BehaviorChange(.targetMediaState, stop)), at: now) {
            _ = adopt(moved)
        }
        for type in Self.mediaStates { baseStates[type] = stop }
    }

    /// Returns the changes of the media states.
    ///
    /// - Parameter states: Those of the receiver; `nil` for those of the device without a receiver.
    mutating func publish(_ states: (current: Int, target: Int)?) -> [BehaviorChange] {
        let current = states?.current ?? baseStates[.currentMediaState]?.coercedInteger
        let target = states?.target ?? baseStates[.targetMediaState]?.coercedInteger
        return [(CharacteristicType.currentMediaState, current), (.targetMediaState, target)]
            .compactMap { type, value in
                guard let value, types.contains(type), known[type]?.coercedInteger != value else { return nil }
                known[type] = .integer(value)
                return BehaviorChange(type, .integer(value))
            }
    }

    /// Returns the volume that values contain, where they differ from the present one; missing ones stay.
    func volume(from values: [CharacteristicType: CharacteristicValue], _ present: Volume) -> Volume {
        var volume = present
        if let percent = values[.volume]?.finiteDouble { volume.percent = Int(min(max(percent, 0), 100).rounded()) }
        if let isMuted = values[.mute]?.coercedBool { volume.isMuted = isMuted }
        return volume
    }

    /// Returns the changes of Volume and Mute, which for a television are an effect on its speaker.
    mutating func publish(_ volume: Volume) -> [BehaviorChange] {
        guard volume != publishedVolume, !hasSpeaker || isSpeakerKnown else { return [] }
        publishedVolume = volume
        let values: [(CharacteristicType, CharacteristicValue)] = [
            (.volume, .integer(volume.percent)), (.mute, .bool(volume.isMuted)),
        ]
        guard hasSpeaker else {
            return values.compactMap { type, value in
                guard types.contains(type), known[type] != value else { return nil }
                known[type] = value
                return BehaviorChange(type, value)
            }
        }
        effects += values.map { .operate(.speaker, BehaviorChange($0.0, $0.1)) }
        return []
    }
}

extension Dictionary where Key == CharacteristicType, Value == CharacteristicValue {
    /// Creates the values of changes, of which the last one of a type counts.
    init(_ changes: [BehaviorChange]) {
        self.init(changes.map { ($0.type, $0.value) }) { _, last in last }
    }
}

extension ReceiverEvent {
    /// The report of the event, with details of at most 256 bytes.
    var effect: DeviceEffect { .report(DriverEvent(name, details.mapValues { $0.prefix(utf8Bytes: 256) })) }
}
