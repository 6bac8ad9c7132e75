package import AccessoryModel
package import AirPlay
package import HAPCore

/// A simulated television or speaker that senders play to by AirPlay.
///
/// It contains the device that is simulated without a receiver, which keeps its power, its inputs and its keys:
///
/// * During a session, the media states of HomeKit are those of what the sender plays, and an input of the type AirPlay
///   is shown. A television is on.
/// * Off, and AirPlay Enable 0, end the session.
/// * Target Media State and the keys for playback are passed to the sender.
/// * Volume and Mute of a television are those of its service Speaker.
///
/// See `docs/airplay.md`.
package struct AirPlayBehavior: ConnectedBehavior {
    /// The value of Input Source Type of an AirPlay input.
    private static let inputType = 8

    private var services: ReceiverServices
    package private(set) var device: AirPlayDevice
    private let parameters: AirPlayParameters
    /// Whether the session has been shown to HomeKit.
    private var isShown = false
    /// What was announced last; `nil` before that.
    private var lastSummary: AirPlaySummary?
    private var effects: [DeviceEffect] = []

    /// - Parameter base: The device without a receiver; `nil` if it is not simulated.
    init(_ parameters: AirPlayParameters, _ type: ServiceType, _ base: (any Behavior)?) {
        self.parameters = parameters
        services = ReceiverServices(type, base)
        device = AirPlayDevice(parameters.configuration)
    }

    // MARK: Behavior

    package mutating func adopt(_ former: any ConnectedBehavior) {
        guard let former = former as? AirPlayBehavior, former.parameters == parameters else { return }
        services.adopt(former.services)
        (device, isShown, lastSummary) = (former.device, former.isShown, former.lastSummary)
    }

    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        let changes = services.start(with: values, of: types, at: now)
        if !services.hasSpeaker { setVolume(from: services.known) }
        device.setEnabled(services.known[.airPlayEnable]?.coercedBool ?? true, at: now)
        return finish(changes, at: now)
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        device.advance(to: now)
        var (response, accepted) = services.write(writes, at: now)
        for write in accepted { apply(write, at: now) }
        response.changes = finish(response.changes, at: now)
        return response
    }

    package var nextDeadline: MonotonicInstant? {
        [services.nextDeadline, device.nextDeadline].compactMap { $0 }.min()
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        device.advance(to: now)
        return finish(services.advance(to: now), at: now)
    }

    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        device.advance(to: now)
        guard case .applySensorInput(let change) = command else {
            return services.perform(command, at: now).map { finish($0, at: now) }
        }
        let changes = services.perform(command, at: now)
        guard changes != nil || change.type == .airPlayEnable else { return nil }
        apply(change, at: now)
        return finish(changes ?? [change], at: now)
    }

    package func controls(of type: CharacteristicType) -> [CharacteristicType]? { services.controls(of: type) }

    package var observedServices: [ServiceType] { services.observedServices }

    package mutating func observe(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        device.advance(to: now)
        if service.type == .speaker { setVolume(from: Dictionary(changes)) }
        return finish(services.observe(changes, of: service, at: now), at: now)
    }

    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        services.readings(at: now) + device.readings(at: now)
    }

    // MARK: Senders

    package mutating func receive(_ event: PeerEvent, at now: MonotonicInstant) -> [BehaviorChange] {
        switch event {
        case .joined: break
        case .left(let peer): device.disconnect(peer.rawValue, at: now)
        case .message(let delivery as AirPlayDelivery, let peer):
            device.receive(delivery.message, from: peer.rawValue, question: delivery.question, at: now)
        case .message(is AirPlayStart, _):
            device.reset(at: now)
            lastSummary = nil
        case .message(let request as DeviceActionRequest, let peer):
            let result = Result { () throws(SimulationError) in
                try AirPlayAction(request.action).perform(on: &device, at: now)
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
    private mutating func apply(_ change: BehaviorChange, at now: MonotonicInstant) {
        switch change.type {
        case .airPlayEnable: device.setEnabled(change.value.coercedBool ?? true, at: now)
        case .active where change.value.coercedBool == false: device.endSession("off", at: now)
        case .targetMediaState:
            let commands: [MediaState: RemoteCommand] = [.play: .play, .pause: .pause, .stop: .stop]
            if let command = MediaState(change.value).flatMap({ commands[$0] }) { device.perform(command, at: now) }
        case .remoteKey: if let key = RemoteKey(change.value) { press(key, at: now) }
        case .volume, .mute: setVolume(from: [change.type: change.value])
        default: break
        }
    }

    private mutating func press(_ key: RemoteKey, at now: MonotonicInstant) {
        switch key {
        case .playPause: device.perform(.playPause, at: now)
        case .nextTrack: device.perform(.next, at: now)
        case .previousTrack: device.perform(.previous, at: now)
        case .rewind, .fastForward: device.seek(by: key == .rewind ? -10 : 10, at: now)
        case .arrowUp, .arrowDown, .arrowLeft, .arrowRight, .select, .back, .exit, .information: break
        }
    }

    private mutating func setVolume(from values: [CharacteristicType: CharacteristicValue]) {
        let present = device.volume.services(former: mutedPercent)
        let volume = services.volume(from: values, present)
        guard volume != present else { return }
        mutedPercent = volume.percent
        device.setVolume(VolumeLevel(percent: volume.percent, isMuted: volume.isMuted))
    }

    /// The volume in percent that is heard again when the sound is on again.
    private var mutedPercent = 40

    // MARK: Senders to HomeKit

    /// Returns all changes of a call, after those that follow from the state of the device.
    private mutating func finish(_ changes: [BehaviorChange], at now: MonotonicInstant) -> [BehaviorChange] {
        var changes = changes
        changes += showSession(at: now)
        changes += services.publish(mediaStates)
        if !device.volume.isMuted { mutedPercent = device.volume.percent }
        changes += services.publish(device.volume.services(former: mutedPercent))
        for (connection, message) in device.takeMessages() {
            effects.append(.send(PeerMessage(message, to: PeerID(connection))))
        }
        effects += device.takeEvents().map(\.effect)
        let summary = AirPlaySummary(of: device)
        if summary != lastSummary {
            lastSummary = summary
            effects.append(.send(PeerMessage(summary, to: .driver)))
        }
        return changes
    }

    /// Turns the device on and shows its AirPlay input when a session begins, and the former input when it has ended.
    private mutating func showSession(at now: MonotonicInstant) -> [BehaviorChange] {
        guard (device.session != nil) != isShown else { return [] }
        isShown.toggle()
        var changes: [BehaviorChange] = []
        if isShown, services.known[.active]?.coercedBool == false {
            changes += services.operate(BehaviorChange(.active, .integer(1)), at: now)
        }
        if !isShown { services.stopBase(at: now) }
        let input = isShown ? services.sortedInputs.first { $0.type == Self.inputType } : nil
        return changes + services.show(input, at: now) { $0.type == Self.inputType }
    }

    /// The media states of the session; `nil` without one.
    private var mediaStates: (current: Int, target: Int)? {
        guard device.session != nil else { return nil }
        return switch device.playback {
        case .stopped: (MediaState.stop.rawValue, MediaState.stop.rawValue)
        case .paused: (MediaState.pause.rawValue, MediaState.pause.rawValue)
        case .loading: (MediaPlayer.loadingState, MediaState.play.rawValue)
        case .playing: (MediaState.play.rawValue, MediaState.play.rawValue)
        }
    }
}

extension VolumeLevel {
    /// - Parameter former: The percentage before the sound was turned off.
    fileprivate func services(former: Int) -> ReceiverServices.Volume {
        ReceiverServices.Volume(percent: isMuted ? former : percent, isMuted: isMuted)
    }
}

/// A message of a sender, with the number of the question if it is one.
package struct AirPlayDelivery: Sendable {
    package let message: SenderMessage
    package let question: UInt64

    package init(_ message: SenderMessage, question: UInt64 = 0) {
        (self.message, self.question) = (message, question)
    }
}

/// The driver of a receiver has just started: no sender is connected.
package struct AirPlayStart: Sendable {
    package init() {}
}

/// What a receiver does, in the words of its announcement.
package struct AirPlaySummary: Sendable, Hashable {
    package var isEnabled = true
    /// Whether a sender has a session.
    package var isActive = false
    package var volume: VolumeLevel

    init(of device: AirPlayDevice) {
        (isEnabled, isActive, volume) = (device.isEnabled, device.session != nil, device.volume)
    }
}

extension AirPlayDevice {
    /// Returns what no characteristic shows.
    fileprivate func readings(at now: MonotonicInstant) -> [DeviceReading] {
        guard let session else { return [DeviceReading("sender", text: "")] }
        var readings = [DeviceReading("sender", text: session.sender.name)]
        let states: [Playback: String] = [
            .stopped: "STOPPED", .paused: "PAUSED", .loading: "LOADING", .playing: "PLAYING",
        ]
        readings.append(DeviceReading("player", text: states[playback] ?? ""))
        if let video = session.video {
            readings.append(DeviceReading("title", text: video.url))
            readings.append(DeviceReading("position", video.position(at: now).rounded(), unit: "s"))
            if let duration = video.content?.duration {
                readings.append(DeviceReading("duration", duration.rounded(), unit: "s"))
            }
            if let resolution = video.content?.resolution {
                readings.append(DeviceReading("resolution", text: resolution))
            }
            return readings
        }
        for (name, text) in [
            ("title", session.track.title), ("artist", session.track.artist), ("album", session.track.album),
        ] {
            if let text { readings.append(DeviceReading(name, text: text)) }
        }
        if let artwork = session.artwork {
            readings.append(DeviceReading("artwork", Double(artwork.byteCount), unit: "bytes"))
        }
        if let progress = session.progress {
            readings.append(DeviceReading("position", progress.position(at: now).rounded(), unit: "s"))
            if let duration = progress.duration {
                readings.append(DeviceReading("duration", duration.rounded(), unit: "s"))
            }
        }
        guard let audio = session.audio else { return readings }
        readings.append(DeviceReading("format", text: audio.format))
        for (name, count) in [
            ("packets", audio.received), ("lost", audio.lost), ("late", audio.late), ("reordered", audio.reordered),
            ("resent", audio.resent),
        ] {
            readings.append(DeviceReading(name, Double(count), unit: ""))
        }
        readings.append(DeviceReading("drift", audio.drift.rounded(), unit: "ppm"))
        if let recorded = audio.recorded { readings.append(DeviceReading("recorded", recorded.rounded(), unit: "s")) }
        return readings
    }
}
