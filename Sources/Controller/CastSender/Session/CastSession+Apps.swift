internal import AsyncPrimitives
internal import Cast
internal import HAPCore

extension CastSession {
    /// Starts an app and joins it; if it runs already, only joins it.
    ///
    /// - Parameters:
    ///   - id: The id of the app; by default that of Google's app that plays any address.
    ///   - restarts: Whether an app that runs already is started again.
    /// - Returns: The running app.
    @discardableResult
    public func launch(
        _ id: String = CastSession.defaultMediaReceiver,
        restarts: Bool = false
    ) async throws(CastSenderError) -> ReceiverStatus.RunningApp {
        if !restarts, let app = link?.receiver?.app, app.id == id, app.transportID != closedTransport {
            try await join(app)
            return app
        }
        let former = link?.receiver?.app?.transportID
        let answer = OneShot<Result<Void, CastSenderError>>()
        let launching = Task { [self] in
            do throws(CastSenderError) {
                let object = ReceiverRequest.launch(appID: id).object
                _ = try await request(object, CastNamespace.receiver, to: CastID.receiver, configuration.longTimeLimit)
                answer.set(.success(()))
            } catch {
                answer.set(.failure(error))
            }
            wakeStatusWaiters()
        }
        defer { launching.cancel() }
        // The answer may come before the app runs.
        let outcome = try await waitForStatus { status -> Result<ReceiverStatus.RunningApp, CastSenderError>? in
            if case .failure(let error) = answer.value { return .failure(error) }
            // A receiver may keep the app that ran before.
            if let app = status?.app, app.id == id, app.transportID != former || answer.value != nil {
                return .success(app)
            }
            return nil
        }
        let app = try outcome.get()
        closedTransport = nil
        try await join(app)
        return app
    }

    /// Joins the app that runs.
    ///
    /// - Parameter id: The only app to join; `nil` for any.
    /// - Throws: ``CastSenderError/noApp`` if none runs, or another one, or if the app has ended the connection before.
    @discardableResult
    public func join(_ id: String? = nil) async throws(CastSenderError) -> ReceiverStatus.RunningApp {
        guard link != nil else { throw .notConnected }
        guard let app = link?.receiver?.app, id == nil || app.id == id, app.transportID != closedTransport else {
            throw .noApp
        }
        try await join(app)
        return app
    }

    func join(_ app: ReceiverStatus.RunningApp) async throws(CastSenderError) {
        let isNew = link?.app?.transportID != app.transportID
        link?.connect(to: app)
        wantedApp = app
        flush()
        if isNew {
            mediaValues.set(nil)
            for channel in channels.values { update(channel) }
            if app.playsMedia { _ = try await mediaRequest(.getStatus) }
        }
        guard wantedApp?.transportID == app.transportID else { throw .noApp }
        // A reader of changes may join at each of them.
        if state != .connected(wantedApp) { transition(to: .connected(wantedApp)) }
    }

    /// Leaves the app, which goes on.
    public func leave() { appClosed() }

    /// Stops the app that runs on the receiver, also one that another sender has started.
    public func stopApp() async throws(CastSenderError) {
        guard let app = link?.receiver?.app else { throw link == nil ? .notConnected : .noApp }
        _ = try await request(.stop(sessionID: app.sessionID))
    }

    /// Forgets the app, which has ended, or was left.
    func appClosed() {
        guard let app = wantedApp else { return }
        wantedApp = nil
        for answer in answers.values where answer.destination == app.transportID { answer.result.set(.failure(.noApp)) }
        link?.disconnect()
        flush()
        mediaValues.set(nil)
        for channel in channels.values { channel.appDisconnected() }
        if case .connected = state { transition(to: .connected(nil)) }
    }

    // MARK: The device

    /// Sets the volume of the receiver, from 0 to 1.
    public func setVolume(_ level: Double) async throws(CastSenderError) {
        _ = try await request(.setVolume(["level": .real(min(max(level, 0), 1))]))
    }

    /// Mutes the receiver, or unmutes it.
    public func setMuted(_ isMuted: Bool) async throws(CastSenderError) {
        _ = try await request(.setVolume(["muted": .bool(isMuted)]))
    }

    /// Returns those of some apps that the receiver can run.
    public func availableApps(of ids: [String]) async throws(CastSenderError) -> Set<String> {
        let answer = try await request(.getAvailability(ids))
        let availability = answer.object("availability") ?? [:]
        return Set(ids.filter { availability.text($0) == "APP_AVAILABLE" })
    }

    // MARK: Channels

    /// Adds a channel, which is connected while the joined app understands its namespace.
    ///
    /// - Throws: ``CastSenderError/namespaceInUse(_:)`` if there is another one, or if the channel was added before.
    public func add(_ channel: CastChannel) throws(CastSenderError) {
        guard channels[channel.namespace] == nil else { throw .namespaceInUse(channel.namespace) }
        guard channel.add(to: self) else { throw .namespaceInUse(channel.namespace) }
        if case .ended = state { return channel.finish() }
        channels[channel.namespace] = channel
        update(channel)
    }

    /// Removes a channel, which has then ended.
    public func remove(_ channel: CastChannel) {
        guard channels[channel.namespace] === channel else { return }
        channels[channel.namespace] = nil
        channel.finish()
    }

    func update(_ channel: CastChannel) {
        if link?.app?.namespaces.contains(channel.namespace) == true {
            channel.appConnected()
        } else {
            channel.appDisconnected()
        }
    }

    func send(_ payload: CastMessage.Payload, in namespace: String) throws(CastSenderError) {
        guard link != nil else { throw .notConnected }
        guard let app = link?.app else { throw .noApp }
        guard app.namespaces.contains(namespace) else { throw .unsupportedNamespace(namespace) }
        try send(payload, namespace, to: app.transportID)
    }
}
