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
package struct CastBehavior: ConnectedBehavior {
    private var services: ReceiverServices
    package private(set) var receiver: CastReceiver
    private let parameters: CastParameters
    private var shownAppID: String?
    /// What was announced last; `nil` before that.
    private var lastSummary: CastSummary?
    private var effects: [DeviceEffect] = []

    /// - Parameter base: The device without a receiver; `nil` if it is not simulated.
    init(_ parameters: CastParameters, _ type: ServiceType, _ base: (any Behavior)?, seed: UInt64) {
        self.parameters = parameters
        services = ReceiverServices(type, base)
        receiver = CastReceiver(parameters.configuration(seed: seed))
    }

    // MARK: Behavior

    package mutating func adopt(_ former: any ConnectedBehavior) {
        guard let former = former as? CastBehavior, former.parameters == parameters else { return }
        services.adopt(former.services)
        (receiver, shownAppID, lastSummary) = (former.receiver, former.shownAppID, former.lastSummary)
    }

    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        let changes = services.start(with: values, of: types, at: now)
        receiver.setActive(services.known[.active]?.coercedBool ?? !services.hasSpeaker, at: now)
        if !services.hasSpeaker { setVolume(from: services.known) }
        return finish(changes, at: now)
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        receiver.advance(to: now)
        var (response, accepted) = services.write(writes, at: now)
        let choosesInput = accepted.contains { $0.type == .activeIdentifier }
        for write in accepted { apply(write, choosesInput: choosesInput, at: now) }
        response.changes = finish(response.changes, at: now)
        return response
    }

    package var nextDeadline: MonotonicInstant? {
        [services.nextDeadline, receiver.nextDeadline].compactMap { $0 }.min()
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        receiver.advance(to: now)
        return finish(services.advance(to: now), at: now)
    }

    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard let changes = services.perform(command, at: now) else { return nil }
        receiver.advance(to: now)
        if case .applySensorInput(let change) = command { apply(change, choosesInput: false, at: now) }
        return finish(changes, at: now)
    }

    package func controls(of type: CharacteristicType) -> [CharacteristicType]? { services.controls(of: type) }

    package var observedServices: [ServiceType] { services.observedServices }

    package mutating func observe(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        receiver.advance(to: now)
        if service.type == .speaker { setVolume(from: Dictionary(changes)) }
        return finish(services.observe(changes, of: service, at: now), at: now)
    }

    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        services.readings(at: now) + CastSummary(of: receiver).readings(of: receiver, at: now)
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
        case .message(let request as DeviceActionRequest, let peer):
            let result = Result { () throws(SimulationError) in
                try CastAction(request.action).perform(on: &receiver, at: now)
            }
            effects.append(.send(PeerMessage(DeviceActionResult(number: request.number, result: result), to: peer)))
        case .message: break
        }
        return finish([], at: now)
    }

    package mutating func takeEffects() -> [DeviceEffect] {
        defer { effects = [] }
        return services.takeEffects() + effects
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
            if let app = shownApp, services.known[.active]?.coercedBool == true { receiver.launch(app, at: now) }
        case .targetMediaState:
            let requests: [MediaState: MediaRequest] = [.play: .play, .pause: .pause, .stop: .stop]
            if let request = MediaState(change.value).flatMap({ requests[$0] }) {
                request.perform(on: &receiver, at: now)
            }
        case .remoteKey: if let key = RemoteKey(change.value) { press(key, at: now) }
        case .volume, .mute: setVolume(from: [change.type: change.value])
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

    /// The app of the input that is shown.
    private var shownApp: CastApp? {
        services.shownInput.flatMap { input in
            receiver.configuration.apps.first { input.names.values.contains($0.name) }
        }
    }

    private mutating func setVolume(from values: [CharacteristicType: CharacteristicValue]) {
        let present = receiver.volume.services
        let volume = services.volume(from: values, present)
        // A whole percentage stays the level that a sender has set, such as 0.333.
        let level = volume.percent == present.percent ? receiver.volume.level : Double(volume.percent) / 100
        receiver.setVolume(CastVolume(level: level, isMuted: volume.isMuted))
    }

    // MARK: Senders to HomeKit

    /// Returns all changes of a call, after those that follow from the state of the receiver.
    private mutating func finish(_ changes: [BehaviorChange], at now: MonotonicInstant) -> [BehaviorChange] {
        var changes = changes
        if receiver.isActive != (services.known[.active]?.coercedBool ?? receiver.isActive) {
            changes += services.operate(BehaviorChange(.active, .integer(receiver.isActive ? 1 : 0)), at: now)
        }
        changes += showInput(at: now)
        changes += services.publish(mediaStates(at: now))
        changes += services.publish(receiver.volume.services)
        for (message, connection) in receiver.takeMessages() {
            effects.append(.send(PeerMessage(message, to: PeerID(connection))))
        }
        effects += receiver.takeEvents().map(\.effect)
        let summary = CastSummary(of: receiver)
        if summary != lastSummary {
            lastSummary = summary
            effects.append(.send(PeerMessage(summary, to: .driver)))
        }
        return changes
    }

    /// Shows the input of the app that has begun to run, or the former one when it has ended.
    private mutating func showInput(at now: MonotonicInstant) -> [BehaviorChange] {
        let app = receiver.running?.app
        guard app?.id != shownAppID else { return [] }
        shownAppID = app?.id
        if app == nil { services.stopBase(at: now) }
        let input = app.flatMap { app in services.sortedInputs.first { $0.names.values.contains(app.name) } }
        let names = Set(receiver.configuration.apps.map(\.name))
        return services.show(input, at: now) { !names.isDisjoint(with: $0.names.values) }
    }

    /// The media states of the app; `nil` if none runs.
    private func mediaStates(at now: MonotonicInstant) -> (current: Int, target: Int)? {
        guard let running = receiver.running else { return nil }
        guard let media = running.media, !media.isIdle else {
            return (MediaState.stop.rawValue, MediaState.stop.rawValue)
        }
        let target = media.isPaused ? MediaState.pause : .play
        if media.isLoading { return (MediaPlayer.loadingState, target.rawValue) }
        let isInterrupted = parameters.isInterruptedByAds && media.adStatus(at: now) != nil
        return (isInterrupted ? 5 : target.rawValue, target.rawValue)
    }
}

extension CastVolume {
    fileprivate var services: ReceiverServices.Volume {
        ReceiverServices.Volume(percent: Int((level * 100).rounded()), isMuted: isMuted)
    }
}

extension PeerID {
    /// The driver of a receiver itself, which is no sender.
    package static let driver = PeerID(0)
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
