package import AccessoryModel
package import Cast
package import HAPCore

/// A simulated television or speaker that senders cast to.
///
/// It contains the device that is simulated without a receiver, which keeps its power, its inputs and its keys:
///
/// * While an app runs, the media states of HomeKit are those of what it plays.
/// * Off ends the app. On runs the app of the shown input, or else the default media receiver.
/// * An Input Source with the name of an app is shown while the app runs, and runs it when it is chosen.
/// * Volume and Mute of a television are those of its service Speaker.
///
/// See `docs/cast.md`.
package struct CastDevice: ConnectedBehavior {
    private var base: (any Behavior)?
    package private(set) var receiver: CastReceiver
    private let parameters: CastParameters
    /// Whether Volume and Mute are in another service.
    private let hasSpeaker: Bool
    /// The values as the owner knows them.
    private var known: [CharacteristicType: CharacteristicValue] = [:]
    private var types: Set<CharacteristicType> = []
    /// The media states of the device without a receiver.
    private var baseStates: [CharacteristicType: CharacteristicValue] = [:]
    private var inputs: [ServiceKey: Input] = [:]
    /// The input that was shown before the app began to run.
    private var formerInput: CharacteristicValue?
    private var shownAppID: String?
    /// What was announced last; `nil` before that.
    private var lastSummary: CastSummary?
    private var effects: [DeviceEffect] = []

    /// What is known of an input.
    private struct Input: Sendable {
        var identifier: CharacteristicValue?
        var names: [CharacteristicType: String] = [:]
    }

    /// - Parameter base: The device without a receiver; `nil` if it is not simulated.
    init(_ parameters: CastParameters, _ type: ServiceType, _ base: (any Behavior)?, seed: UInt64) {
        (self.parameters, self.base) = (parameters, base)
        receiver = CastReceiver(parameters.configuration(seed: seed))
        hasSpeaker = type == .television
    }

    // MARK: Behavior

    package mutating func adopt(_ former: any ConnectedBehavior) {
        guard let former = former as? CastDevice, former.parameters == parameters else { return }
        (receiver, publishedVolume) = (former.receiver, former.publishedVolume)
        (shownAppID, formerInput) = (former.shownAppID, former.formerInput)
        lastSummary = former.lastSummary
    }

    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        known = values
        self.types = Set(types)
        for type in Self.mediaStates { baseStates[type] = values[type] }
        let changes = adopt(base?.start(with: values, of: types, at: now) ?? [])
        // No app runs yet, and what the last one has played is over.
        stopBase(at: now)
        receiver.setActive(known[.active]?.coercedBool ?? !hasSpeaker, at: now)
        if !hasSpeaker { receiver.setVolume(volume(from: known, receiver.volume)) }
        return finish(changes, at: now)
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        receiver.advance(to: now)
        var response = base?.write(writes, at: now) ?? BehaviorResponse()
        let accepted = writes.filter { response.refusals[$0.type] == nil }
        for write in accepted {
            known[write.type] = write.value
            if Self.mediaStates.contains(write.type) { baseStates[write.type] = write.value }
        }
        let changes = adopt(response.changes)
        let choosesInput = accepted.contains { $0.type == .activeIdentifier }
        for write in accepted { apply(write, choosesInput: choosesInput, at: now) }
        response.changes = finish(changes, at: now)
        return response
    }

    package var nextDeadline: MonotonicInstant? {
        [base?.nextDeadline, receiver.nextDeadline].compactMap { $0 }.min()
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        receiver.advance(to: now)
        return finish(adopt(base?.advance(to: now) ?? []), at: now)
    }

    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard let moved = base?.perform(command, at: now) else { return nil }
        receiver.advance(to: now)
        let changes = adopt(moved)
        if case .applySensorInput(let change) = command { apply(change, choosesInput: false, at: now) }
        return finish(changes, at: now)
    }

    package func controls(of type: CharacteristicType) -> [CharacteristicType]? { base?.controls(of: type) }

    package var observedServices: [ServiceType] {
        hasSpeaker ? (base?.observedServices ?? [.inputSource]) + [.speaker] : base?.observedServices ?? []
    }

    package mutating func observe(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        receiver.advance(to: now)
        var own: [BehaviorChange] = []
        if service.type == .speaker {
            var values: [CharacteristicType: CharacteristicValue] = [:]
            for change in changes { values[change.type] = change.value }
            receiver.setVolume(volume(from: values, receiver.volume))
        } else {
            for change in changes {
                switch change.type {
                case .identifier: inputs[service, default: Input()].identifier = change.value
                case .configuredName, .name: inputs[service, default: Input()].names[change.type] = change.value.string
                default: break
                }
            }
        }
        if service.type != .speaker || base?.observedServices.contains(.speaker) ?? false {
            own = adopt(base?.observe(changes, of: service, at: now) ?? [])
        }
        return finish(own, at: now)
    }

    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        (base?.readings(at: now) ?? []) + CastSummary(of: receiver).readings(of: receiver, at: now)
    }

    // MARK: Senders

    package mutating func receive(_ event: PeerEvent, at now: MonotonicInstant) -> [BehaviorChange] {
        receiver.advance(to: now)
        switch event {
        case .joined: break
        case .left(let peer): receiver.disconnect(peer.rawValue)
        case .message(let delivery as CastDelivery, let peer):
            if delivery.crashesApp { receiver.crashApp() }
            receiver.receive(delivery.message, from: peer.rawValue, at: now, faults: delivery.faults)
        case .message(let identity as CastIdentity, _):
            (receiver.configuration.name, receiver.configuration.id) = (identity.name, identity.id)
            if identity.isStart {
                receiver.restart(at: now)
                if receiver.isActive, let app = shownApp { receiver.launch(app, at: now) }
            }
            lastSummary = nil
        case .message(let request as CastActionRequest, let peer):
            let result = Result { () throws(SimulationError) in try request.action.perform(on: &receiver, at: now) }
            effects.append(.send(PeerMessage(CastActionResult(number: request.number, result: result), to: peer)))
        case .message: break
        }
        return finish([], at: now)
    }

    package mutating func takeEffects() -> [DeviceEffect] {
        defer { effects = [] }
        return effects
    }

    // MARK: HomeKit to senders

    /// Applies what HomeKit or a user at the device has changed.
    ///
    /// - Parameter choosesInput: Whether an input is chosen at the same time.
    private mutating func apply(_ change: BehaviorChange, choosesInput: Bool, at now: MonotonicInstant) {
        switch change.type {
        case .active:
            let (isOn, wasOn) = (change.value.coercedBool == true, receiver.isActive)
            receiver.setActive(isOn, at: now)
            let usual = choosesInput ? nil : receiver.configuration.apps.first
            if isOn, !wasOn, let app = shownApp ?? usual { receiver.launch(app, at: now) }
        case .activeIdentifier:
            guard let app = shownApp else {
                // The user has left the input of the app.
                formerInput = nil
                break
            }
            if known[.active]?.coercedBool == true { receiver.launch(app, at: now) }
        case .targetMediaState:
            let requests: [MediaState: MediaRequest] = [.play: .play, .pause: .pause, .stop: .stop]
            if let request = MediaState(change.value).flatMap({ requests[$0] }) {
                request.perform(on: &receiver, at: now)
            }
        case .remoteKey: if let key = RemoteKey(change.value) { press(key, at: now) }
        case .volume, .mute: receiver.setVolume(volume(from: [change.type: change.value], receiver.volume))
        default: break
        }
    }

    private mutating func press(_ key: RemoteKey, at now: MonotonicInstant) {
        guard let media = receiver.running?.media else { return }
        let request: MediaRequest? =
            switch key {
            case .playPause: media.isPaused ? .play : .pause
            case .rewind: .seek(position: -10, isRelative: true, plays: nil)
            case .fastForward: .seek(position: 10, isRelative: true, plays: nil)
            case .nextTrack: .jump(by: 1)
            case .previousTrack: .jump(by: -1)
            case .select: .skipAd
            case .arrowUp, .arrowDown, .arrowLeft, .arrowRight, .back, .exit, .information: nil
            }
        request?.perform(on: &receiver, at: now)
    }

    /// The inputs in the order of their services.
    private var sortedInputs: [Input] { inputs.sorted { $0.key.path < $1.key.path }.map(\.value) }

    /// The app of the input that is shown.
    private var shownApp: CastApp? {
        let shown = sortedInputs.first { $0.identifier != nil && $0.identifier == known[.activeIdentifier] }
        return shown.flatMap { input in receiver.configuration.apps.first { input.names.values.contains($0.name) } }
    }

    private func volume(
        from values: [CharacteristicType: CharacteristicValue],
        _ present: CastVolume
    ) -> CastVolume {
        var volume = present
        // A whole percentage stays the level that a sender has set, such as 0.333.
        if let percent = values[.volume]?.finiteDouble, percent != (present.level * 100).rounded() {
            volume.level = min(max(percent / 100, 0), 1)
        }
        if let isMuted = values[.mute]?.coercedBool { volume.isMuted = isMuted }
        return volume
    }

    // MARK: Senders to HomeKit

    /// Takes over the changes of the device without a receiver, and returns those that HomeKit sees.
    private mutating func adopt(_ changes: [BehaviorChange]) -> [BehaviorChange] {
        changes.filter { change in
            guard Self.mediaStates.contains(change.type) else {
                known[change.type] = change.value
                return true
            }
            baseStates[change.type] = change.value
            return false
        }
    }

    /// Returns all changes of a call, after those that follow from the state of the receiver.
    private mutating func finish(_ changes: [BehaviorChange], at now: MonotonicInstant) -> [BehaviorChange] {
        var changes = changes
        if receiver.isActive != (known[.active]?.coercedBool ?? receiver.isActive) {
            changes += operate(BehaviorChange(.active, .integer(receiver.isActive ? 1 : 0)), at: now)
        }
        changes += showInput(at: now)
        let (current, target) = mediaStates(at: now)
        for (type, value) in [(CharacteristicType.currentMediaState, current), (.targetMediaState, target)] {
            guard let value, types.contains(type), known[type]?.coercedInteger != value else { continue }
            known[type] = .integer(value)
            changes.append(BehaviorChange(type, .integer(value)))
        }
        changes += publishVolume()
        for (message, connection) in receiver.takeMessages() {
            effects.append(.send(PeerMessage(message, to: PeerID(connection))))
        }
        for event in receiver.takeEvents() {
            let details = event.details.mapValues { $0.prefix(utf8Bytes: 256) }
            effects.append(.report(DriverEvent(event.name, details)))
        }
        let summary = CastSummary(of: receiver)
        if summary != lastSummary {
            lastSummary = summary
            effects.append(.send(PeerMessage(summary, to: .castDriver)))
        }
        return changes
    }

    /// Changes a value of the device without a receiver, as a key of it does.
    private mutating func operate(_ change: BehaviorChange, at now: MonotonicInstant) -> [BehaviorChange] {
        if let moved = base?.perform(.applySensorInput(change), at: now) { return adopt(moved) }
        guard types.contains(change.type) else { return [] }
        known[change.type] = change.value
        return [change]
    }

    /// Shows the input of the app that has begun to run, or the former one when it has ended.
    private mutating func showInput(at now: MonotonicInstant) -> [BehaviorChange] {
        let app = receiver.running?.app
        guard app?.id != shownAppID else { return [] }
        shownAppID = app?.id
        if app == nil { stopBase(at: now) }
        let input = app.flatMap { app in sortedInputs.first { $0.names.values.contains(app.name) }?.identifier }
        if let input {
            guard input != known[.activeIdentifier] else { return [] }
            if formerInput == nil { formerInput = known[.activeIdentifier] }
            return operate(BehaviorChange(.activeIdentifier, input), at: now)
        }
        guard let former = formerInput ?? (app == nil ? otherInput : nil) else { return [] }
        formerInput = nil
        return operate(BehaviorChange(.activeIdentifier, former), at: now)
    }

    /// The first input that is no app, if the one of an app is shown.
    private var otherInput: CharacteristicValue? {
        guard shownApp != nil else { return nil }
        let names = Set(receiver.configuration.apps.map(\.name))
        return inputs.values.filter { names.isDisjoint(with: $0.names.values) }.compactMap(\.identifier)
            .min { ($0.finiteDouble ?? 0) < ($1.finiteDouble ?? 0) }
    }

    /// Makes the device without a receiver play nothing: it has followed what HomeKit wrote for the app.
    private mutating func stopBase(at now: MonotonicInstant) {
        let stop = CharacteristicValue.integer(MediaState.stop.rawValue)
        if let moved = base?.perform(.applySensorInput(BehaviorChange(.targetMediaState, stop)), at: now) {
            _ = adopt(moved)
        }
        for type in Self.mediaStates { baseStates[type] = stop }
    }

    private static let mediaStates: Set<CharacteristicType> = [.currentMediaState, .targetMediaState]

    /// The media states that HomeKit sees: those of the app, or those of the device if none runs.
    private func mediaStates(at now: MonotonicInstant) -> (current: Int?, target: Int?) {
        guard let running = receiver.running else {
            return (baseStates[.currentMediaState]?.coercedInteger, baseStates[.targetMediaState]?.coercedInteger)
        }
        guard let media = running.media, !media.isIdle else {
            return (MediaState.stop.rawValue, MediaState.stop.rawValue)
        }
        let target = media.isPaused ? MediaState.pause : .play
        if media.isLoading { return (MediaPlayer.loadingState, target.rawValue) }
        let isInterrupted = parameters.isInterruptedByAds && media.adStatus(at: now) != nil
        return (isInterrupted ? 5 : target.rawValue, target.rawValue)
    }

    private mutating func publishVolume() -> [BehaviorChange] {
        let volume = receiver.volume
        let values: [(CharacteristicType, CharacteristicValue)] = [
            (.volume, .integer(Int((volume.level * 100).rounded()))), (.mute, .bool(volume.isMuted)),
        ]
        guard volume != publishedVolume else { return [] }
        publishedVolume = volume
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

    private var publishedVolume = CastVolume()
}

extension PeerID {
    /// The driver of a receiver itself, which is no sender.
    package static let castDriver = PeerID(0)
}

/// A message of a sender, with the faults that act on it.
package struct CastDelivery: Sendable {
    package let message: CastMessage
    package let faults: CastFaults
    package let crashesApp: Bool

    package init(_ message: CastMessage, faults: CastFaults = .none, crashesApp: Bool = false) {
        (self.message, self.faults, self.crashesApp) = (message, faults, crashesApp)
    }
}

/// The name of a receiver, and its UUID in hexadecimal digits.
package struct CastIdentity: Sendable, Hashable {
    package let name: String
    package let id: String
    /// Whether the driver starts, so that there are no senders.
    package let isStart: Bool

    package init(name: String, id: String, isStart: Bool) {
        (self.name, self.id, self.isStart) = (name, id, isStart)
    }
}

extension MediaRequest {
    /// Performs the request as far as it is possible now.
    fileprivate func perform(on receiver: inout CastReceiver, at now: MonotonicInstant) {
        // A key without an effect is no error.
        try? receiver.perform(self, at: now)
        receiver.publish(at: now)
    }
}
