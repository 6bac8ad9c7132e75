internal import AccessoryModel
internal import Cast
internal import CastSender
internal import HAPCore
internal import HAPServer
package import Hosting
internal import Simulation

extension DriverKind {
    /// The driver `chromecast`: a Cast receiver that the user owns.
    package static let chromecast = DriverKind(.chromecast) { (parameters: ChromecastParameters, port) in
        ChromecastDriver(parameters, port)
    }
}

/// Connects a television of HomeKit with a Cast receiver on the network.
///
/// See `docs/cast-sender.md`.
actor ChromecastDriver: Driver {
    /// The time between two attempts to find a receiver that is absent.
    private static let pause = Duration.seconds(10)
    /// The time between two reports.
    private static let rest = Duration.milliseconds(100)
    /// All drivers share one connection to the Avahi daemon.
    private static let browser = CastDeviceBrowser()

    private let parameters: ChromecastParameters
    private let port: DriverPort
    private var session: CastSession?
    private var joining: Task<Void, Never>?
    /// What was reported last.
    private var known: [CharacteristicKey: CharacteristicValue] = [:]
    private var lastApp: ReceiverStatus.RunningApp?
    private var lastPlayer: (state: PlayerState, reason: IdleReason?) = (.idle, nil)

    init(_ parameters: ChromecastParameters, _ port: DriverPort) {
        (self.parameters, self.port) = (parameters, port)
    }

    func run() async throws {
        await reportDefinition()
        var isAbsent = false
        while !Task.isCancelled {
            let failure = await follow()
            if session != nil || !isAbsent {
                session = nil
                isAbsent = true
                await becomeAbsent("\(failure)")
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Reports the values of the definition that no receiver changes, such as the names of inputs.
    private func reportDefinition() async {
        known = await port.values
        let missing = port.accessory.drivenKeys.filter { known[$0] == nil }
        await report(
            missing.compactMap { key in port.accessory.characteristic(key)?.value.map { DriverReport(key, $0) } }
        )
    }

    /// Finds the receiver and follows it, and returns why that has ended.
    private func follow() async -> CastSenderError {
        guard let device = await device() else { return .unreachable("it is not on the network") }
        var configuration = CastSession.Configuration()
        // The address of a receiver may change, so that it is searched again.
        configuration.reconnects = false
        configuration.deviceFingerprint = parameters.fingerprint
        let session = CastSession(with: device, configuration, on: ServiceThread.group)
        do throws(CastSenderError) {
            try await session.connect()
        } catch {
            await session.end()
            return error
        }
        self.session = session
        port.emit(DriverEvent("connected", ["name": device.name, "address": device.hosts.first ?? ""]))
        for await _ in session.changes {
            await update(session)
            // An app that does not answer must not delay the volume.
            if joining == nil, session.receiverStatus?.app != nil {
                joining = Task {
                    _ = try? await session.join()
                    if !Task.isCancelled { joining = nil }
                }
            }
            // A receiver may change more often than HomeKit should be told.
            try? await Task.sleep(for: Self.rest)
        }
        joining?.cancel()
        joining = nil
        await session.end()
        guard case .ended(.failed(let error)) = session.state else { return .notConnected }
        return error
    }

    private func device() async -> CastDevice? {
        if let address = parameters.address { return CastDevice(host: address, port: parameters.port) }
        return await Self.browser.device(named: parameters.name ?? "")
    }

    private func becomeAbsent(_ reason: String) async {
        let clause = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        port.emit(DriverEvent("absent", ["reason": clause.prefix(utf8Bytes: 256)], isWarning: true))
        (lastApp, lastPlayer) = (nil, (.idle, nil))
        await report([
            DriverReport(key(.television, .active), 0),
            DriverReport(key(.television, .currentMediaState), .integer(MediaState.stop.rawValue)),
            DriverReport(key(.television, .targetMediaState), .integer(MediaState.stop.rawValue)),
        ])
        await port.setReachable(parameters.absence == .off)
    }

    // MARK: From the receiver to HomeKit

    private func update(_ session: CastSession) async {
        guard let status = session.receiverStatus else { return }
        let media = session.media.status
        emitChanges(status.app, media)
        let state = media.map { MediaState($0) } ?? .stop
        var reports = [
            DriverReport(key(.television, .active), status.app == nil ? 0 : 1),
            DriverReport(key(.television, .currentMediaState), .integer(state.rawValue)),
            DriverReport(key(.television, .targetMediaState), .integer(state.rawValue)),
            DriverReport(key(.speaker, .volume), .integer(Int((status.volume.level * 100).rounded()))),
            DriverReport(key(.speaker, .mute), .bool(status.volume.isMuted)),
        ]
        if let app = status.app,
            let input = inputs.first(where: { self.app(of: $0.name) == app.id || $0.name == app.name })
        {
            reports.append(DriverReport(key(.television, .activeIdentifier), input.identifier))
        }
        await report(reports)
        await port.setReachable(true)
    }

    private func emitChanges(_ app: ReceiverStatus.RunningApp?, _ media: MediaStatus?) {
        if app?.sessionID != lastApp?.sessionID {
            if let lastApp { port.emit(DriverEvent("APP_STOPPED", ["app": lastApp.name, "appId": lastApp.id])) }
            if let app { port.emit(DriverEvent("APP_STARTED", ["app": app.name, "appId": app.id])) }
            lastApp = app
        }
        let player = (state: media?.playerState ?? .idle, reason: media?.idleReason)
        guard player != lastPlayer else { return }
        lastPlayer = player
        var details = ["playerState": player.state.rawValue]
        details["idleReason"] = player.reason?.rawValue
        port.emit(DriverEvent("PLAYER", details))
    }

    /// Reports those of some values that the accessory has and that are new.
    private func report(_ reports: [DriverReport]) async {
        let new = reports.filter { known[$0.key] != $0.value && port.accessory.characteristic($0.key) != nil }
        guard !new.isEmpty else { return }
        for report in new { known[report.key] = report.value }
        await port.report(new)
    }

    private func key(_ service: ServiceType, _ type: CharacteristicType) -> CharacteristicKey {
        let found = port.accessory.services.first { $0.key.type == service }?.key ?? ServiceKey(service)
        return CharacteristicKey(accessory: port.accessory.key, service: found, type: type)
    }

    /// The inputs with their names, which a user may have changed.
    private var inputs: [(name: String, identifier: CharacteristicValue)] {
        let accessory = port.accessory
        return accessory.services.filter { $0.key.type == .inputSource }
            .compactMap { service in
                func value(_ type: CharacteristicType) -> CharacteristicValue? {
                    service.characteristics.first { $0.type == type }?.value
                }
                guard let identifier = value(.identifier), let name = (value(.name) ?? value(.configuredName))?.string
                else { return nil }
                return (name, identifier)
            }
    }

    /// Returns the id of the app of an input.
    private func app(of input: String) -> String? {
        parameters.apps.first { $0.input == input }?.id
            ?? (input == CastApp.defaultMediaReceiver.name ? CastApp.defaultMediaReceiver.id : nil)
    }

    // MARK: From HomeKit to the receiver

    func write(_ request: DriverWriteRequest) async -> [DriverWriteResult] {
        var results: [DriverWriteResult] = []
        let choosesInput = request.writes.contains { $0.key.type == .activeIdentifier }
        for write in request.writes {
            do throws(CastSenderError) {
                let taken = try await perform(write, choosesInput: choosesInput)
                known[write.key] = taken ?? write.value
                results.append(DriverWriteResult(write.key, value: taken))
            } catch {
                let status: HAPStatus = if case .timedOut = error { .timedOut } else { .unableToPerform }
                results.append(DriverWriteResult(write.key, status))
            }
        }
        return results
    }

    /// The characteristics whose writes a receiver performs.
    private static let operated: Set<CharacteristicType> = [
        .active, .activeIdentifier, .targetMediaState, .remoteKey, .mute, .volume, .volumeSelector,
    ]

    /// Does what a write means, and returns the value that the receiver has taken instead, if it is another one.
    private func perform(
        _ write: DriverWrite,
        choosesInput: Bool
    ) async throws(CastSenderError) -> CharacteristicValue? {
        let isOff = write.key.type == .active && write.value.coercedInteger == 0
        guard let session else {
            // Names, for example, can be changed while the receiver is absent.
            if isOff || !Self.operated.contains(write.key.type) { return nil }
            throw .notConnected
        }
        switch (write.key.service.type, write.key.type) {
        case (.television, .active):
            if isOff {
                if session.receiverStatus?.app != nil { try await session.stopApp() }
            } else if session.receiverStatus?.app == nil, !choosesInput {
                try await launch(known[key(.television, .activeIdentifier)], session)
            }
        case (.television, .activeIdentifier): try await launch(write.value, session)
        case (.television, .targetMediaState):
            guard let media = session.media.status, media.playerState != .idle else {
                return .integer(MediaState.stop.rawValue)
            }
            switch write.value.coercedInteger.flatMap({ MediaState(rawValue: $0) }) {
            case .play: try await session.media.play()
            case .pause: try await session.media.pause()
            case .stop: try await session.media.stop()
            case nil: break
            }
        case (.television, .remoteKey):
            guard let key = write.value.coercedInteger.flatMap({ RemoteKey(rawValue: $0) }) else { break }
            try await press(key, session)
        case (.speaker, .mute): try await session.setMuted(write.value.coercedBool ?? false)
        case (.speaker, .volume):
            try await session.setVolume((write.value.finiteDouble ?? 0) / 100)
            // A receiver has steps of its own.
            return session.receiverStatus.map { .integer(Int(($0.volume.level * 100).rounded())) }
        case (.speaker, .volumeSelector):
            guard let status = session.receiverStatus else { break }
            let step = write.value.coercedInteger == 0 ? status.volumeStep : -status.volumeStep
            try await session.setVolume(status.volume.level + step)
        default: break
        }
        return nil
    }

    private func launch(_ identifier: CharacteristicValue?, _ session: CastSession) async throws(CastSenderError) {
        let input = inputs.first { $0.identifier == identifier }
        // An input without an app is shown by the television, not by the receiver.
        guard let input else {
            try await session.launch()
            return
        }
        if let id = app(of: input.name) { try await session.launch(id) }
    }

    private func press(_ key: RemoteKey, _ session: CastSession) async throws(CastSenderError) {
        let media = session.media
        guard let status = media.status, status.playerState != .idle else { return }
        switch key {
        case .playPause:
            if status.playerState == .paused { try await media.play() } else { try await media.pause() }
        case .rewind: try await media.seek(by: -10)
        case .fastForward: try await media.seek(by: 10)
        case .nextTrack: try await media.jump(by: 1)
        case .previousTrack: try await media.jump(by: -1)
        case .select: if status.adBreak != nil { try await media.skipAd() }
        case .arrowUp, .arrowDown, .arrowLeft, .arrowRight, .back, .exit, .information: break
        }
    }

    // MARK: Actions

    func perform(_ action: DriverAction) async throws(SimulationError) -> String {
        guard let session else {
            throw SimulationError(.refused, "The receiver is not on the network.", "Switch it on.")
        }
        func number(_ name: String) throws(CastSenderError) -> Double {
            guard let number = action.arguments[name].flatMap({ Double($0) }), number.isFinite else {
                throw .invalidArgument("\(name) is missing")
            }
            return number
        }
        do throws(CastSenderError) {
            switch action.name {
            case "launch": try await session.launch(action.arguments["appId"] ?? CastSession.defaultMediaReceiver)
            case "quit": try await session.stopApp()
            case "load":
                guard let id = action.arguments["contentId"] else { throw .invalidArgument("contentId is missing") }
                try await session.launch()
                let media = MediaInformation(
                    contentID: id,
                    contentType: action.arguments["contentType"] ?? "video/mp4",
                    title: action.arguments["title"]
                )
                try await session.media.load(MediaLoadRequest(media))
            case "play": try await session.media.play()
            case "pause": try await session.media.pause()
            case "stop": try await session.media.stop()
            case "seek": try await session.media.seek(to: number("currentTime"))
            case "rate": try await session.media.setPlaybackRate(number("playbackRate"))
            case "next": try await session.media.jump(by: 1)
            case "previous": try await session.media.jump(by: -1)
            case "skip-ad": try await session.media.skipAd()
            default: throw .invalidArgument("there is no such action")
            }
        } catch {
            throw SimulationError(.refused, "\(error)".escapingControlCharacters, "Check the receiver, and try again.")
        }
        return ""
    }

    func readings() async -> [DeviceReading] {
        guard let session, let status = session.receiverStatus else { return [] }
        var readings = [DeviceReading("app", text: status.app?.name ?? "")]
        guard let media = session.media.status, media.playerState != .idle else { return readings }
        readings.append(DeviceReading("title", text: media.media?.title ?? media.media?.contentID ?? ""))
        readings.append(DeviceReading("position", media.position(at: .now), unit: "s"))
        if let duration = media.media?.duration { readings.append(DeviceReading("duration", duration, unit: "s")) }
        readings.append(DeviceReading("rate", media.rate, unit: ""))
        return readings
    }
}

extension MediaState {
    fileprivate init(_ status: MediaStatus) {
        self =
            switch status.playerState {
            case .playing, .buffering: .play
            case .paused: .pause
            case .idle: .stop
            }
    }
}
