internal import AccessoryModel
internal import AirPlay
internal import HAPCore

/// What a user, a scenario or the page asks of a receiver.
struct AirPlayAction: Sendable {
    private let action: DriverAction

    init(_ action: DriverAction) {
        self.action = action
    }

    static let features: [DriverFeature] = [
        DriverFeature(
            .action,
            "start",
            "Plays audio as a sender does, without any sound.",
            fields: ["sender", "title", "artist", "album", "duration"]
        ),
        DriverFeature(.action, "load", "Plays a video by its address as a sender does.", fields: ["url", "sender"]),
        DriverFeature(.action, "play", "Goes on; a sender of audio is asked to."),
        DriverFeature(.action, "pause", "Pauses; a sender of audio is asked to."),
        DriverFeature(.action, "stop", "Stops a video; a sender of audio is asked to."),
        DriverFeature(.action, "next", "Asks the sender for the next track."),
        DriverFeature(.action, "previous", "Asks the sender for the previous track."),
        DriverFeature(.action, "volume", "Changes the volume, from 0 to 100.", fields: ["percent"]),
        DriverFeature(.action, "seek", "Jumps to a position of a video.", fields: ["position"]),
        DriverFeature(.action, "disconnect", "Ends the session."),
    ]

    /// Performs the action, and returns a sentence about it; empty for the standard one.
    ///
    /// - Throws: ``SimulationError`` that says why it cannot be done.
    func perform(on device: inout AirPlayDevice, at now: MonotonicInstant) throws(SimulationError) -> String {
        switch action.name {
        case "start": try start(on: &device, at: now)
        case "load":
            guard let url = action.arguments["url"] else {
                throw SimulationError(.refused, "There is nothing to load.", "Give url.")
            }
            device.receive(
                .video(.play(url: url, start: 0, isPart: false), sender),
                from: PeerID.driver.rawValue,
                at: now
            )
            try checkSession(of: device)
        case "volume":
            let percent = try action.number("percent", in: 0...100)
            device.setVolume(VolumeLevel(percent: Int(percent.rounded())))
        case "seek":
            let position = try action.seconds("position")
            guard device.seek(to: position, at: now) else { throw .noVideo }
        case "disconnect":
            guard device.session != nil else { throw .noSession }
            device.endSession("disconnected", at: now)
        case "play": try perform(.play, on: &device, at: now)
        case "pause": try perform(.pause, on: &device, at: now)
        case "stop": try perform(.stop, on: &device, at: now)
        case "next": try perform(.next, on: &device, at: now)
        case "previous": try perform(.previous, on: &device, at: now)
        default: throw SimulationError(.refused, "A receiver cannot do this.", "Name an action that it has.")
        }
        return ""
    }

    private var sender: SenderDescription {
        SenderDescription(name: (action.arguments["sender"] ?? "hap").prefix(utf8Bytes: 64), version: 2)
    }

    /// Does what a sender of audio does, apart from the audio.
    private func start(on device: inout AirPlayDevice, at now: MonotonicInstant) throws(SimulationError) {
        let duration = action.arguments["duration"] == nil ? nil : try action.seconds("duration")
        let peer = PeerID.driver.rawValue
        device.receive(.begin(sender), from: peer, at: now)
        try checkSession(of: device)
        var track = TrackMetadata()
        track.title = action.arguments["title"]
        track.artist = action.arguments["artist"]
        track.album = action.arguments["album"]
        device.receive(.setTrack(track), from: peer, at: now)
        device.receive(.setProgress(PlaybackPosition(position: 0, duration: duration)), from: peer, at: now)
        device.receive(.play, from: peer, at: now)
    }

    private func checkSession(of device: AirPlayDevice) throws(SimulationError) {
        guard device.session?.peer != PeerID.driver.rawValue else { return }
        let reason = device.isEnabled ? "\(device.session?.sender.name ?? "Another sender") plays." : "AirPlay is off."
        throw SimulationError(.refused, reason, device.isEnabled ? "End its session first." : "Turn AirPlay on first.")
    }

    private func perform(
        _ command: RemoteCommand,
        on device: inout AirPlayDevice,
        at now: MonotonicInstant
    ) throws(SimulationError) {
        guard device.perform(command, at: now) else { throw .noSession }
    }
}

extension SimulationError {
    fileprivate static let noSession = SimulationError(.refused, "No sender plays.", "Start one first.")
    fileprivate static let noVideo = SimulationError(.refused, "No video is played.", "Load one first.")
}
