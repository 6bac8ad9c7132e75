package import HAPCore

/// The sender's side of one connection to a receiver: it numbers requests, knows what answers them, keeps the latest
/// status, and watches whether the receiver lives.
///
/// Bytes and instants go in; messages and events come out. It reads no clock and opens nothing.
///
/// See `docs/cast.md`.
package struct SenderLink: Sendable {
    package enum Event: Sendable, Hashable {
        /// A request with this number was answered by an app, or by the receiver itself.
        case answer(Int, JSONObject, from: String)
        case receiverStatus
        case mediaStatus
        /// A message in a namespace of the running app.
        case message(namespace: String, CastMessage.Payload)
        /// The answer to a challenge.
        case authentication([UInt8])
        /// The app with this transport id has ended the connection to it; the receiver itself if it is its id.
        case closed(String)
    }

    /// The id of this sender.
    package static let id = "sender-0"
    /// The time between two PING messages.
    package static let heartbeatInterval = Duration.seconds(5)
    /// The time without any message after which the receiver counts as gone.
    package static let silenceLimit = Duration.seconds(15)

    package private(set) var receiver: ReceiverStatus?
    /// What the connected app plays; `nil` if it plays nothing.
    package private(set) var media: MediaStatus?
    /// The app to which this sender is connected.
    package private(set) var app: ReceiverStatus.RunningApp?
    private var decoder = CastFrameDecoder()
    private var outgoing: [CastMessage] = []
    private var lastRequest = 0
    private var lastMessage: MonotonicInstant
    private var nextHeartbeat: MonotonicInstant

    package init(at now: MonotonicInstant) {
        (lastMessage, nextHeartbeat) = (now, now.advanced(by: Self.heartbeatInterval))
        connect(to: CastID.receiver)
    }

    /// Returns the messages since the last call, in their order.
    package mutating func takeMessages() -> [CastMessage] {
        defer { outgoing = [] }
        return outgoing
    }

    // MARK: Sending

    /// Sends a request, and returns its number.
    package mutating func request(_ object: JSONObject, _ namespace: String, to destination: String) -> Int {
        lastRequest += 1
        var object = object
        object["requestId"] = .integer(lastRequest)
        send(.object(object), namespace, to: destination)
        return lastRequest
    }

    package mutating func send(_ payload: CastMessage.Payload, _ namespace: String, to destination: String) {
        outgoing.append(CastMessage(from: Self.id, to: destination, namespace, payload))
    }

    /// Connects to an app, so that it accepts messages.
    package mutating func connect(to app: ReceiverStatus.RunningApp) {
        guard self.app?.transportID != app.transportID else { return }
        disconnect()
        (self.app, media) = (app, nil)
        connect(to: app.transportID)
    }

    /// Ends the connection to the app.
    package mutating func disconnect() {
        guard let app else { return }
        send(.object(["type": "CLOSE"]), CastNamespace.connection, to: app.transportID)
        (self.app, media) = (nil, nil)
    }

    private mutating func connect(to destination: String) {
        let object: JSONObject = ["type": "CONNECT", "origin": .object([:]), "userAgent": "hap"]
        send(.object(object), CastNamespace.connection, to: destination)
    }

    // MARK: Time

    /// Sends what is due; returns `false` if the receiver has been silent for too long.
    package mutating func advance(to now: MonotonicInstant) -> Bool {
        guard lastMessage.duration(to: now) < Self.silenceLimit else { return false }
        if nextHeartbeat <= now {
            nextHeartbeat = now.advanced(by: Self.heartbeatInterval)
            send(.object(["type": "PING"]), CastNamespace.heartbeat, to: CastID.receiver)
        }
        return true
    }

    // MARK: Receiving

    /// Handles received bytes.
    ///
    /// - Throws: ``CastError`` if they are no messages of the protocol; the connection is then of no more use.
    package mutating func receive(_ bytes: some Sequence<UInt8>, at now: MonotonicInstant) throws(CastError) -> [Event]
    {
        decoder.append(bytes)
        var events: [Event] = []
        while let frame = try decoder.next() {
            lastMessage = now
            let message = try CastMessage(parsing: frame)
            guard message.destination == Self.id || message.destination == CastID.everyone else { continue }
            events += receive(message, at: now)
        }
        return events
    }

    private mutating func receive(_ message: CastMessage, at now: MonotonicInstant) -> [Event] {
        switch message.namespace {
        case CastNamespace.deviceAuthentication:
            guard case .binary(let bytes) = message.payload else { return [] }
            return [.authentication(bytes)]
        case CastNamespace.heartbeat:
            if message.object?.text("type") == "PING" {
                send(.object(["type": "PONG"]), CastNamespace.heartbeat, to: message.source)
            }
            return []
        case CastNamespace.connection:
            guard message.object?.text("type") == "CLOSE" else { return [] }
            guard message.source == app?.transportID else {
                return message.source == CastID.receiver ? [.closed(message.source)] : []
            }
            (app, media) = (nil, nil)
            return [.closed(message.source)]
        case let namespace where namespace.hasPrefix(CastNamespace.prefix):
            // Another app is not that of this sender, whatever it plays.
            guard namespace != CastNamespace.media || app != nil && message.source == app?.transportID else {
                return []
            }
            return message.object.map { receive($0, namespace, from: message.source, at: now) } ?? []
        case let namespace:
            guard let app, app.namespaces.contains(namespace) else { return [] }
            return [.message(namespace: namespace, message.payload)]
        }
    }

    private mutating func receive(
        _ object: JSONObject,
        _ namespace: String,
        from source: String,
        at now: MonotonicInstant
    ) -> [Event] {
        var events: [Event] = []
        switch (namespace, object.text("type")) {
        case (CastNamespace.receiver, "RECEIVER_STATUS"):
            guard source == CastID.receiver, let object = object.object("status") else { break }
            let status = ReceiverStatus(object, after: receiver?.volume ?? CastVolume())
            receiver = status
            // The text and the namespaces of the app may have changed.
            if let running = status.app, running.transportID == app?.transportID { app = running }
            events.append(.receiverStatus)
        case (CastNamespace.media, "MEDIA_STATUS"):
            media = object.objects("status")?.first.map { MediaStatus($0, at: now).following(media) }
            events.append(.mediaStatus)
        default: break
        }
        if let number = object.integer("requestId"), number > 0 {
            events.append(.answer(number, object, from: source))
        }
        return events
    }
}
