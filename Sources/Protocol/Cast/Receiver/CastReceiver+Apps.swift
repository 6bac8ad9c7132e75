package import HAPCore

/// The apps that a receiver runs, and the requests in the namespace `receiver`.
///
/// See `docs/cast.md`.
extension CastReceiver {
    mutating func handle(_ request: ReceiverRequest, _ incoming: IncomingRequest, at now: MonotonicInstant) {
        switch request {
        case .getStatus: break
        case .launch(let appID):
            report("LAUNCH", ["sender": incoming.peer.id, "appId": appID])
            return launch(appID, incoming, at: now)
        case .stop(let sessionID):
            let isMeant = sessionID.map { $0 == running?.sessionID } ?? (running != nil || launch != nil)
            guard isMeant else { return refuse("INVALID_SESSION_ID", incoming) }
            report("STOP", ["sender": incoming.peer.id, "appId": running?.app.id ?? ""])
            stopApp(at: now, except: incoming.peer)
        case .setVolume(let object):
            report("SET_VOLUME", ["sender": incoming.peer.id])
            let former = volume
            if !incoming.faults.ignoresVolume { applyVolume(object) }
            if volume != former { broadcastStatus(except: incoming.peer) }
        case .getAvailability(let ids):
            var availability = JSONObject()
            for id in ids.prefix(Self.maximumQueriedApps) {
                availability[id] = app(id) == nil ? "APP_UNAVAILABLE" : "APP_AVAILABLE"
            }
            let object = JSONValue.object(availability)
            return reply(["responseType": "GET_APP_AVAILABILITY", "availability": object], to: incoming)
        case .invalid(let reason): return refuse(reason, incoming)
        }
        reply(status(), to: incoming)
    }

    /// The number of apps of a request that are answered.
    private static let maximumQueriedApps = 64

    private mutating func refuse(_ reason: String, _ request: IncomingRequest) {
        reply(["type": "INVALID_REQUEST", "reason": .string(reason)], to: request)
    }

    /// Returns an app by its id.
    package func app(_ id: String) -> CastApp? { configuration.apps.first { $0.id == id } }

    // MARK: Launching

    private mutating func launch(_ appID: String, _ request: IncomingRequest, at now: MonotonicInstant) {
        func fail(_ reason: String) -> JSONObject { ["type": "LAUNCH_ERROR", "reason": .string(reason)] }
        guard !appID.isEmpty else { return reply(fail("BAD_PARAMETER"), to: request) }
        guard let app = app(appID) else { return reply(fail("NOT_FOUND"), to: request) }
        guard !request.faults.isBusy else { return reply(fail("SYSTEM_ERROR"), to: request) }
        let delay = configuration.launchTime + request.faults.launchDelay
        launch(app, after: delay, for: request.waiting, at: now)
    }

    /// Runs an app, which takes the place of another one; one that runs already goes on.
    ///
    /// - Parameter delay: The time until it runs; `nil` for that of the configuration.
    package mutating func launch(_ app: CastApp, after delay: Duration? = nil, at now: MonotonicInstant) {
        launch(app, after: delay ?? configuration.launchTime, for: nil, at: now)
    }

    private mutating func launch(_ app: CastApp, after delay: Duration, for waiting: Waiting?, at now: MonotonicInstant)
    {
        cancelLaunch()
        if running?.app.id == app.id {
            isActive = true
            if let waiting { reply(status(), to: waiting, CastNamespace.receiver) }
            return
        }
        if let waiting, delay > .zero {
            // It has no requestId: only the end of the launch answers the request.
            let notice: JSONObject = [
                "type": "LAUNCH_STATUS", "status": "USER_ALLOWED", "launchRequestId": .integer(waiting.requestID),
            ]
            send(notice, CastNamespace.receiver, from: waiting.source, to: waiting.peer)
        }
        let launch = Launch(app: app, end: now.advanced(by: delay), waiting: waiting)
        if delay > .zero { self.launch = launch } else { finishLaunch(launch, at: now) }
    }

    private mutating func cancelLaunch() {
        guard let cancelled = launch else { return }
        launch = nil
        guard let waiting = cancelled.waiting else { return }
        reply(["type": "LAUNCH_ERROR", "reason": "CANCELLED"], to: waiting, CastNamespace.receiver)
    }

    mutating func finishLaunch(_ finished: Launch, at now: MonotonicInstant) {
        launch = nil
        endApp(.interrupted, at: now)
        running = RunningApp(app: finished.app, sessionID: makeID())
        isActive = true
        report("APP_STARTED", ["app": finished.app.name, "appId": finished.app.id])
        if let waiting = finished.waiting { reply(status(), to: waiting, CastNamespace.receiver) }
        broadcastStatus(except: finished.waiting?.peer)
    }

    // MARK: Stopping

    /// Ends the running app and one that is being launched.
    ///
    /// - Parameter peer: A sender that gets its own answer.
    package mutating func stopApp(at now: MonotonicInstant, except peer: CastPeer? = nil) {
        cancelLaunch()
        endApp(.cancelled, at: now)
        broadcastStatus(except: peer)
    }

    /// Ends the running app as if it had crashed: its senders are disconnected without a last status.
    package mutating func crashApp() {
        guard let crashed = running else { return }
        running?.media = nil
        closeApp(crashed, reason: "CRASHED")
        broadcastStatus()
    }

    private mutating func endApp(_ reason: IdleReason, at now: MonotonicInstant) {
        guard running != nil else { return }
        running?.media?.end(reason)
        publishMedia(at: now)
        if let ended = running { closeApp(ended, reason: "STOPPED") }
    }

    private mutating func closeApp(_ ended: RunningApp, reason: String) {
        for waiting in waitingLoads { reply(["type": "LOAD_CANCELLED"], to: waiting, CastNamespace.media) }
        waitingLoads = []
        running = nil
        report("APP_\(reason)", ["app": ended.app.name, "appId": ended.app.id])
        for peer in peers(of: ended.sessionID) {
            send(["type": "CLOSE"], CastNamespace.connection, from: ended.sessionID, to: peer)
        }
        forget(ended.sessionID)
    }

    // MARK: Status

    package mutating func broadcastStatus(except peer: CastPeer? = nil) {
        var status = status()
        status["requestId"] = 0
        broadcast(status, CastNamespace.receiver, from: CastID.receiver, except: peer)
    }

    /// The status that senders get, without the number of a request.
    package func status() -> JSONObject {
        var status: JSONObject = [
            "isActiveInput": .bool(isActive), "isStandBy": .bool(!isActive),
            "volume": .object([
                "controlType": configuration.hasFixedVolume ? "fixed" : "attenuation", "level": .real(volume.level),
                "muted": .bool(volume.isMuted), "stepInterval": .real(configuration.volumeStep),
            ]),
            "userEq": .object(JSONObject()),
        ]
        if let running {
            status["applications"] = .array([
                .object([
                    "appId": .string(running.app.id), "universalAppId": .string(running.app.id), "appType": "WEB",
                    "displayName": .string(running.app.name), "iconUrl": "", "isIdleScreen": false,
                    "launchedFromCloud": false,
                    "namespaces": .array(running.app.namespaces.map { .object(["name": .string($0)]) }),
                    "sessionId": .string(running.sessionID), "transportId": .string(running.sessionID),
                    "statusText": .string(statusText),
                ])
            ])
        }
        return ["type": "RECEIVER_STATUS", "status": .object(status)]
    }

    /// What the receiver does, in a few words: the title of the content, or the name of the app; empty without one.
    package var statusText: String { running.map { $0.media?.media.title ?? $0.app.name } ?? "" }
}
