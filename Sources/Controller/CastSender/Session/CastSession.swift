internal import AsyncPrimitives
internal import Cast
internal import HAPCore
package import NIOCore
internal import NIOPosix
internal import Synchronization

/// A session with a receiver: a connection that is opened again when it is lost, and an app of the receiver to which it
/// is joined.
///
/// ```swift
/// let session = CastSession(with: CastDevice(host: "192.168.1.20"))
/// try await session.connect()
/// try await session.launch()
/// let film = MediaInformation(contentID: "http://example.com/film.mp4", contentType: "video/mp4")
/// try await session.media.load(MediaLoadRequest(film))
/// for await status in session.media.statuses { print(status?.playerState ?? .idle) }
/// ```
public actor CastSession {
    /// The app of Google that plays any address.
    public static let defaultMediaReceiver = CastApp.defaultMediaReceiver.id

    /// What may be set before a session begins.
    public struct Configuration: Sendable, Hashable {
        /// The time that a connection may take to open, and an answer to arrive.
        public var timeLimit = Duration.seconds(10)
        /// The time that an app may take to start, and a content to load.
        public var longTimeLimit = Duration.seconds(30)
        /// Whether a lost connection is opened again, and the same app joined again.
        public var reconnects = true
        /// The SHA-256 digest of the receiver's device certificate, as 64 hexadecimal digits; `nil` accepts
        /// every receiver.
        ///
        /// The certificates of TLS are signed by the receiver itself and change every few days, so that they prove nothing.
        /// With a digest, the receiver must prove that it has the key of the device certificate.
        public var deviceFingerprint: String?

        /// Creates the usual configuration.
        public init() {}
    }

    /// What a session does now.
    public enum State: Sendable, Hashable {
        /// It has not begun.
        case idle
        case connecting
        /// It is connected to the receiver, and joined to this app if there is one.
        case connected(ReceiverStatus.RunningApp?)
        /// The connection was lost for this reason, and is being opened again.
        case suspended(CastSenderError)
        case ended(EndReason)
    }

    /// Why a session has ended.
    public enum EndReason: Sendable, Hashable {
        /// ``end(stoppingApp:)`` was called.
        case ended
        /// The connection failed, and is not opened again.
        case failed(CastSenderError)
    }

    /// The receiver.
    public nonisolated let device: CastDevice
    /// What the joined app plays.
    public nonisolated var media: CastMediaClient { CastMediaClient(session: self) }

    nonisolated let stateValues: LatestValues<State>
    nonisolated let receiverValues: LatestValues<ReceiverStatus?>
    nonisolated let mediaValues: LatestValues<MediaStatus?>
    private nonisolated let changeValues = LatestValues(())
    private nonisolated let open: @Sendable () async throws(CastSenderError) -> any CastTransport

    let configuration: Configuration
    var link: SenderLink?
    /// The app that is joined again after a lost connection.
    var wantedApp: ReceiverStatus.RunningApp?
    var channels: [String: CastChannel] = [:]
    var answers: [Int: PendingAnswer] = [:]
    /// The app that has ended the connection to it, and is not joined again.
    var closedTransport: String?
    /// Whether the app is being asked for its media status.
    var asksForMedia = false
    var authentication: OneShot<Result<[UInt8], CastSenderError>>?
    let authenticationTurn = TurnLock()
    /// Set at the next status of the receiver.
    var statusChange = OneShot<Void>()
    var frames: AsyncStream<[UInt8]>.Continuation?
    private var running: Task<Void, Never>?
    private let hasEnded = OneShot<Void>()
    /// Set when the first connection is complete, or has failed.
    private let firstConnection = OneShot<Result<Void, CastSenderError>>()

    /// Creates a session, which does nothing until ``connect()``.
    public init(with device: CastDevice, _ configuration: Configuration = Configuration()) {
        self.init(with: device, configuration, on: MultiThreadedEventLoopGroup.singleton)
    }

    /// Creates a session on a group of event loops.
    package init(with device: CastDevice, _ configuration: Configuration, on group: any EventLoopGroup) {
        self.init(with: device, configuration) { () async throws(CastSenderError) in
            try await TLSTransport.connect(to: device, within: configuration.timeLimit, on: group)
        }
    }

    /// Creates a session whose connections come from elsewhere, such as from memory.
    package init(
        with device: CastDevice,
        _ configuration: Configuration,
        open: @escaping @Sendable () async throws(CastSenderError) -> any CastTransport
    ) {
        (self.device, self.configuration, self.open) = (device, configuration, open)
        let changed: @Sendable () -> Void = { [changeValues] in changeValues.set(()) }
        stateValues = LatestValues(.idle, didChange: changed)
        receiverValues = LatestValues(nil, didChange: changed)
        mediaValues = LatestValues(nil, didChange: changed)
    }

    deinit { running?.cancel() }

    // MARK: State

    /// What the session does now.
    public nonisolated var state: State { stateValues.value }
    /// The present state and each later one; a slow reader gets the latest.
    public nonisolated var states: AsyncStream<State> { stateValues.stream() }
    /// The latest status of the receiver; `nil` before the first one.
    public nonisolated var receiverStatus: ReceiverStatus? { receiverValues.value }
    /// The present status of the receiver and each later one; a slow reader gets the latest.
    public nonisolated var receiverStatuses: AsyncStream<ReceiverStatus?> { receiverValues.stream() }

    /// A stream that yields now and after each change of the state, of the receiver or of what is played, and that ends
    /// with the session.
    public nonisolated var changes: AsyncStream<Void> { changeValues.stream() }

    // MARK: Life

    /// Connects to the receiver, and returns when its status is known.
    ///
    /// A later call returns the result of the first one. Cancellation ends the wait, and not the connection: call
    /// ``end(stoppingApp:)`` then, too.
    public func connect() async throws(CastSenderError) {
        if case .ended(let reason) = state { throw reason.error }
        if running == nil {
            let reference = WeakSession(session: self)
            running = Task { [open, hasEnded] in
                await Self.run(open, in: reference)
                hasEnded.set(())
            }
        }
        guard let result = await firstConnection.waitUnlessCancelled() else { throw .cancelled }
        try result.get()
    }

    /// Ends the session, and returns when the connection is closed.
    ///
    /// A session that is connected lives until this is called.
    ///
    /// - Parameter stoppingApp: Whether the app that runs on the receiver is stopped, too, if that is possible.
    public func end(stoppingApp: Bool = false) async {
        if stoppingApp { try? await stopApp() }
        leave()
        finish(.ended)
        guard let running else { return }
        // What waits is still sent.
        _ = await withTimeLimit(.seconds(1)) { [hasEnded] in await hasEnded.waitUnlessCancelled() }
        running.cancel()
        await running.value
    }

    private func finish(_ reason: EndReason) {
        if case .ended = state { return }
        firstConnection.set(.failure(reason.error))
        transition(to: .ended(reason))
        if let frames { frames.finish() } else { running?.cancel() }
        disconnected(reason.error)
        stateValues.finish()
        receiverValues.finish()
        mediaValues.finish()
        changeValues.finish()
        for channel in channels.values { channel.finish() }
    }

    /// Opens connections until the session ends.
    ///
    /// The session is not kept alive between them.
    private static func run(
        _ open: @Sendable () async throws(CastSenderError) -> any CastTransport,
        in reference: WeakSession
    ) async {
        var delay = Duration.seconds(1)
        while !Task.isCancelled {
            await reference.session?.transition(to: .connecting)
            let failure: CastSenderError
            do throws(CastSenderError) {
                let transport = try await open()
                guard let session = reference.session else { return transport.close() }
                let start = ContinuousClock.now
                failure = await session.serve(transport)
                if start.duration(to: .now) > .seconds(60) { delay = .seconds(1) }
            } catch {
                failure = error
            }
            guard !Task.isCancelled, await reference.session?.lost(failure) ?? false else { return }
            // At most a minute, and up to a fifth longer, so that several senders do not come back at once.
            try? await Task.sleep(for: delay * Double.random(in: 1...1.2))
            delay = min(delay * 2, .seconds(60))
        }
    }

    /// Handles the end of a connection; returns whether another one is opened.
    private func lost(_ failure: CastSenderError) -> Bool {
        if case .ended = state { return false }
        let isFirst = firstConnection.value == nil
        if isFirst || !configuration.reconnects || failure.isFinal {
            finish(.failed(failure))
            return false
        }
        transition(to: .suspended(failure))
        return true
    }

    // MARK: One connection

    /// Uses a connection until it ends, and returns why.
    private func serve(_ transport: any CastTransport) async -> CastSenderError {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1_024))
        (frames, hosts) = (continuation, transport.hosts)
        link = SenderLink(at: .now)
        flush()
        let failure = OneShot<CastSenderError>()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await frame in stream {
                    guard (try? await transport.send(frame)) != nil else { break }
                }
                // The session has ended, or its receiver does not read.
                failure.set(.connectionLost("the receiver does not read"))
                transport.close()
            }
            group.addTask { [self] in
                while let bytes = await transport.receive() {
                    do throws(CastSenderError) {
                        try await receive(bytes)
                    } catch {
                        failure.set(error)
                        break
                    }
                }
                failure.set(.connectionLost("the receiver has closed it"))
                transport.close()
                await disconnected(failure.wait())
            }
            group.addTask { [self] in
                do throws(CastSenderError) {
                    try await begin(transport.certificate)
                } catch {
                    failure.set(error)
                    transport.close()
                }
            }
            let heartbeat = Task { [self] in
                while !Task.isCancelled, advance() {
                    try? await Task.sleep(for: .seconds(1))
                }
                failure.set(.connectionLost("the receiver is silent"))
                transport.close()
            }
            _ = await failure.wait()
            transport.close()
            heartbeat.cancel()
            continuation.finish()
        }
        return failure.value ?? .notConnected
    }

    /// The addresses of this end of the connection and of the receiver's; `nil` without a connection.
    private(set) var hosts: (local: String, receiver: String)?

    /// Checks the receiver, asks for its status, and joins the former app again.
    private func begin(_ certificate: [UInt8]) async throws(CastSenderError) {
        if configuration.deviceFingerprint != nil {
            let found = try await fingerprint(on: certificate)
            guard found == configuration.deviceFingerprint?.lowercased() else {
                throw .untrusted("its device certificate has the fingerprint \(found)")
            }
        }
        self.certificate = certificate
        _ = try await request(.getStatus)
        if let wanted = wantedApp {
            let app = link?.receiver?.app.flatMap { $0.id == wanted.id ? $0 : nil }
            do throws(CastSenderError) {
                guard let app else { throw .noApp }
                try await join(app)
            } catch {
                // The app is joined on the next connection.
                guard link != nil else { throw error }
                if case .noApp = error { appClosed() }
            }
        }
        transition(to: .connected(wantedApp))
        firstConnection.set(.success(()))
    }

    var certificate: [UInt8] = []

    /// Changes the state, unless the session has ended.
    func transition(to state: State) {
        if case .ended = self.state { return }
        stateValues.set(state)
    }

    private func receive(_ bytes: [UInt8]) throws(CastSenderError) {
        let events: [SenderLink.Event]
        do throws(CastError) {
            events = try link?.receive(bytes, at: .now) ?? []
        } catch {
            throw .malformed("\(error)")
        }
        for event in events { handle(event) }
        flush()
    }

    private func handle(_ event: SenderLink.Event) {
        switch event {
        case .answer(let number, let object, let source):
            guard answers[number]?.destination == source else { break }
            let refusal = ReceiverRefusal(object).map { CastSenderError($0) }
            answers.removeValue(forKey: number)?.result.set(refusal.map { .failure($0) } ?? .success(object))
        case .receiverStatus:
            receiverValues.set(link?.receiver)
            if let wantedApp, case .connected = stateValues.value, let app = link?.app, app != wantedApp {
                let playedMedia = wantedApp.playsMedia
                self.wantedApp = app
                transition(to: .connected(app))
                for channel in channels.values { update(channel) }
                if app.playsMedia, !playedMedia { askForMedia() }
            }
            wakeStatusWaiters()
            let running = link?.receiver?.app?.transportID
            if running != closedTransport { closedTransport = nil }
            if let wantedApp, running != wantedApp.transportID { appClosed() }
        case .mediaStatus: mediaValues.set(link?.media)
        case .message(let namespace, let payload): channels[namespace]?.received(payload)
        case .authentication(let bytes): authentication?.set(.success(bytes))
        case .closed(let id):
            closedTransport = id
            if id == wantedApp?.transportID { appClosed() }
        }
    }

    /// Sends what is due; returns `false` if the receiver is silent.
    private func advance() -> Bool {
        defer { flush() }
        return link?.advance(to: .now) ?? false
    }

    func flush() {
        for message in link?.takeMessages() ?? [] {
            guard let frame = message.frame else { continue }
            if case .dropped = frames?.yield(frame) { frames?.finish() }
        }
    }

    private func disconnected(_ error: CastSenderError) {
        for answer in answers.values { answer.result.set(.failure(error)) }
        answers = [:]
        authentication?.set(.failure(error))
        (link, frames, hosts, closedTransport) = (nil, nil, nil, nil)
        wakeStatusWaiters()
        mediaValues.set(nil)
        for channel in channels.values { channel.appDisconnected() }
    }
}

/// A session that may have ended.
private struct WeakSession: Sendable {
    weak var session: CastSession?
}

extension CastSession.EndReason {
    fileprivate var error: CastSenderError { if case .failed(let error) = self { error } else { .notConnected } }
}

extension CastSenderError {
    /// Whether another connection would fail, too.
    fileprivate var isFinal: Bool {
        switch self {
        case .untrusted: true
        default: false
        }
    }
}

extension MonotonicInstant {
    static var now: MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
    }
}
