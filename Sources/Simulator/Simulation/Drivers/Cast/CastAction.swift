internal import AccessoryModel
internal import Cast
internal import Documents
internal import HAPCore

/// What a user, a scenario or the page asks of a receiver.
struct CastAction: Sendable {
    private let action: DriverAction

    init(_ action: DriverAction) {
        self.action = action
    }

    static let features: [DriverFeature] = [
        DriverFeature(
            .action,
            "launch",
            "Runs an app, by its name or id; the default media receiver without one.",
            fields: ["app"]
        ),
        DriverFeature(.action, "quit", "Ends the app."),
        DriverFeature(
            .action,
            "load",
            "Loads a content into the running app, or into the default media receiver.",
            fields: ["contentId", "contentType", "title", "duration", "currentTime", "autoplay", "playbackRate"]
        ),
        DriverFeature(.action, "play", "Plays."), DriverFeature(.action, "pause", "Pauses."),
        DriverFeature(.action, "stop", "Ends the content."),
        DriverFeature(.action, "end", "Plays the content to its end at once."),
        DriverFeature(.action, "seek", "Jumps to a position.", fields: ["currentTime"]),
        DriverFeature(.action, "rate", "Changes the rate, from 0.5 to 2.", fields: ["playbackRate"]),
        DriverFeature(.action, "next", "Plays the next item of the queue."),
        DriverFeature(.action, "previous", "Plays the previous item of the queue."),
        DriverFeature(.action, "skip-ad", "Skips the ad, if that is possible now."),
        DriverFeature(
            .action,
            "send",
            "Sends a text from the app to all of its senders.",
            fields: ["namespace", "text"]
        ),
        DriverFeature(.action, "crash", "Ends the app as if it had crashed."),
    ]

    /// Performs the action, and returns a sentence about it; empty for the standard one.
    ///
    /// - Throws: ``SimulationError`` that says why it cannot be done.
    func perform(on receiver: inout CastReceiver, at now: MonotonicInstant) throws(SimulationError) -> String {
        defer { receiver.publish(at: now) }
        switch action.name {
        case "launch": receiver.launch(try app(of: receiver), after: .zero, at: now)
        case "quit": receiver.stopApp(at: now)
        case "crash": receiver.crashApp()
        case "load": return try load(into: &receiver, at: now)
        case "play": try perform(.play, on: &receiver, at: now)
        case "pause": try perform(.pause, on: &receiver, at: now)
        case "stop": try perform(.stop, on: &receiver, at: now)
        case "end": guard receiver.finishMedia(at: now) else { throw .nothingPlays }
        case "seek":
            let position = try action.seconds("currentTime")
            try perform(.seek(position: position, isRelative: false, plays: nil), on: &receiver, at: now)
        case "rate":
            try perform(
                .setRate(action.number("playbackRate", in: MediaSession.rates), isFactor: false),
                on: &receiver,
                at: now
            )
        case "next": try perform(.jump(by: 1), on: &receiver, at: now)
        case "previous": try perform(.jump(by: -1), on: &receiver, at: now)
        case "skip-ad": try perform(.skipAd, on: &receiver, at: now)
        case "send": return try send(from: &receiver)
        default: throw SimulationError(.refused, "A receiver cannot do this.", "Name an action that it has.")
        }
        return ""
    }

    private func app(of receiver: CastReceiver) throws(SimulationError) -> CastApp {
        let apps = receiver.configuration.apps
        guard let wanted = action.arguments["app"] else { return apps.first ?? .defaultMediaReceiver }
        guard let app = apps.first(where: { $0.id == wanted || $0.name == wanted }) else {
            throw SimulationError(
                .unknownName,
                "There is no app \"\(wanted.prefix(utf8Bytes: 64).escapingControlCharacters)\".",
                "There are: \(apps.map(\.name).joined(separator: ", "))."
            )
        }
        return app
    }

    private func load(into receiver: inout CastReceiver, at now: MonotonicInstant) throws(SimulationError) -> String {
        guard let id = action.arguments["contentId"] else {
            throw SimulationError(.refused, "There is nothing to load.", "Give contentId.")
        }
        var media: JSONObject = ["contentId": .string(id)]
        if let type = action.arguments["contentType"] { media["contentType"] = .string(type) }
        if action.arguments["duration"] != nil { media["duration"] = .real(try action.seconds("duration")) }
        if let title = action.arguments["title"] {
            media["metadata"] = .object(["metadataType": 0, "title": .string(title)])
        }
        var request = MediaRequest.LoadRequest(items: [["media": .object(media)]])
        if action.arguments["currentTime"] != nil { request.position = try action.seconds("currentTime") }
        if action.arguments["playbackRate"] != nil {
            request.rate = try action.number("playbackRate", in: MediaSession.rates)
        }
        request.autoplay = action.arguments["autoplay"].map { $0 != "false" }
        if receiver.running == nil { receiver.launch(.defaultMediaReceiver, after: .zero, at: now) }
        do throws(MediaRefusal) {
            try receiver.load(request, at: now)
        } catch {
            throw SimulationError(error)
        }
        return ""
    }

    private func send(from receiver: inout CastReceiver) throws(SimulationError) -> String {
        guard let running = receiver.running else {
            throw SimulationError(.refused, "No app runs.", "Launch one first.")
        }
        let own = running.app.ownNamespaces
        guard let namespace = action.arguments["namespace"] ?? own.first, own.contains(namespace) else {
            throw SimulationError(
                .refused,
                "\(running.app.name) has no such channel.",
                own.isEmpty ? "Declare namespaces of the app in the file." : "It has: \(own.joined(separator: ", "))."
            )
        }
        let count = receiver.sendToAll(action.arguments["text"] ?? "", namespace)
        return "Sent to \(count) \(count == 1 ? "sender" : "senders")."
    }

    private func perform(
        _ request: MediaRequest,
        on receiver: inout CastReceiver,
        at now: MonotonicInstant
    ) throws(SimulationError) {
        guard receiver.running?.media != nil else { throw .nothingPlays }
        do throws(MediaRefusal) {
            try receiver.perform(request, at: now)
        } catch {
            throw SimulationError(error)
        }
    }
}

extension SimulationError {
    fileprivate static let nothingPlays = SimulationError(.refused, "Nothing is played.", "Load a content first.")

    fileprivate init(_ refusal: MediaRefusal) {
        switch refusal {
        case .invalidPlayerState:
            self.init(
                .refused,
                "The player cannot do this now.",
                "Wait for the end of the ad, or until it can be skipped."
            )
        case .invalidRequest(let reason): self.init(.refused, "The app refuses: \(reason).", "Ask for something else.")
        case .loadFailed(let code): self.init(.refused, "The content cannot be loaded: \(code).", "Load another one.")
        }
    }
}
