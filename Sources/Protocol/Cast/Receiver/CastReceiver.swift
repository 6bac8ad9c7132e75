package import HAPCore

/// The state of a receiver: its senders, its volume, the app that runs, and what that plays.
///
/// Messages of senders and instants go in; messages for senders and events come out. It reads no clock and opens
/// nothing. Heartbeats and device authentication, which need real time and keys, are not handled here.
///
/// See `docs/cast.md`.
package struct CastReceiver: Sendable {
    package struct Configuration: Sendable, Hashable {
        package var name = "Television"
        /// A UUID in hexadecimal digits without hyphens.
        package var id = "00000000000000000000000000000000"
        package var model = "Chromecast"
        package var apps = [CastApp.defaultMediaReceiver]
        /// Contents of which a sender needs to name only the id.
        package var contents: [String: MediaInformation] = [:]
        /// The time from a LAUNCH until the app runs.
        package var launchTime = Duration.zero
        /// The time from a LOAD until the content is ready.
        package var loadTime = Duration.zero
        /// Whether senders cannot change the volume.
        package var hasFixedVolume = false
        /// The change of the volume by one press of a key, from 0 to 1.
        package var volumeStep = 0.05
        package var seed: UInt64 = 0

        package init() {}
    }

    /// An app that runs.
    package struct RunningApp: Sendable {
        package let app: CastApp
        /// By which senders stop the app, and to which they address messages for it.
        package let sessionID: String
        package internal(set) var media: MediaSession?
    }

    /// A request that is answered later.
    struct Waiting: Sendable {
        let peer: CastPeer
        let source: String
        let requestID: Int
        let hasWrongRequestID: Bool
    }

    /// An app that is being launched.
    struct Launch: Sendable {
        let app: CastApp
        let end: MonotonicInstant
        let waiting: Waiting?
    }

    /// The maximum number of senders and apps that one connection connects.
    static let maximumConnections = 32

    package var configuration: Configuration
    package internal(set) var volume = CastVolume()
    /// Whether the television shows a picture.
    package internal(set) var isActive = false
    package internal(set) var running: RunningApp?
    var launch: Launch?
    /// The LOAD requests that wait until the content is ready.
    var waitingLoads: [Waiting] = []
    /// What each sender has connected to: the receiver, or a running app.
    private var connections: [CastPeer: Set<String>] = [:]
    private var lastMediaID = 0
    private var random: SeededRandom
    private var outgoing: [(message: CastMessage, connection: UInt64)] = []
    private var events: [ReceiverEvent] = []

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        random = SeededRandom(seed: configuration.seed)
    }

    // MARK: Results

    /// Returns the messages since the last call, each with the number of its connection, in their order.
    package mutating func takeMessages() -> [(message: CastMessage, connection: UInt64)] {
        defer { outgoing = [] }
        return outgoing
    }

    /// Returns what has happened since the last call.
    package mutating func takeEvents() -> [ReceiverEvent] {
        defer { events = [] }
        return events
    }

    mutating func report(_ name: String, _ details: [String: String] = [:]) {
        events.append(ReceiverEvent(name, details))
    }

    // MARK: Time

    package var nextDeadline: MonotonicInstant? {
        [launch?.end, running?.media?.nextDeadline].compactMap { $0 }.min()
    }

    /// Handles what is due, at its own time.
    ///
    /// The owner moves from event to event, so that few are due in one call. A content that never comes to rest, such as
    /// a short one that repeats, is paused after 100 events.
    package mutating func advance(to now: MonotonicInstant) {
        for _ in 0..<100 {
            guard let due = nextDeadline, due <= now else { return }
            if let launch, launch.end <= due {
                finishLaunch(launch, at: due)
            } else {
                running?.media?.handleEvent(at: due)
                publishMedia(at: due)
            }
        }
        running?.media?.pause(at: now)
        publishMedia(at: now)
    }

    // MARK: Senders

    /// Ends the app and all connections, as a start of the device does.
    package mutating func restart(at now: MonotonicInstant) {
        stopApp(at: now)
        connections = [:]
        outgoing = []
    }

    /// A connection has ended, with all of its senders.
    package mutating func disconnect(_ connection: UInt64) {
        for peer in connections.keys where peer.connection == connection { disconnect(peer) }
    }

    private mutating func disconnect(_ peer: CastPeer, from destination: String? = nil) {
        let ended = destination.map { [$0] } ?? connections[peer] ?? []
        for destination in ended where connections[peer]?.remove(destination) != nil {
            guard let running, running.sessionID == destination else { continue }
            report("DISCONNECTED", ["sender": peer.id, "app": running.app.name])
        }
        if connections[peer]?.isEmpty ?? false { connections[peer] = nil }
    }

    private mutating func connect(_ peer: CastPeer, to destination: String) {
        guard destination == CastID.receiver || destination == running?.sessionID else {
            return send(["type": "CLOSE"], CastNamespace.connection, from: destination, to: peer)
        }
        let count = connections.reduce(0) { $0 + ($1.key.connection == peer.connection ? $1.value.count : 0) }
        guard count < Self.maximumConnections, connections[peer, default: []].insert(destination).inserted,
            let running, running.sessionID == destination
        else { return }
        report("CONNECTED", ["sender": peer.id, "app": running.app.name])
    }

    /// Forgets the connections to an app that has ended.
    mutating func forget(_ sessionID: String) {
        for peer in connections.keys { disconnect(peer, from: sessionID) }
    }

    /// The senders that are connected to the receiver or to an app.
    func peers(of destination: String) -> [CastPeer] {
        connections.filter { $0.value.contains(destination) }.keys
            .sorted { ($0.connection, $0.id) < ($1.connection, $1.id) }
    }

    // MARK: Messages

    /// Handles a message of a sender.
    package mutating func receive(
        _ message: CastMessage,
        from connection: UInt64,
        at now: MonotonicInstant,
        faults: CastFaults = .none
    ) {
        advance(to: now)
        handle(message, from: connection, at: now, faults)
        advance(to: now)
    }

    private mutating func handle(
        _ message: CastMessage,
        from connection: UInt64,
        at now: MonotonicInstant,
        _ faults: CastFaults
    ) {
        let peer = CastPeer(connection: connection, id: message.source)
        guard message.source.utf8.count <= 256 else { return }
        if message.namespace == CastNamespace.connection {
            switch message.object?.text("type") {
            case "CONNECT": connect(peer, to: message.destination)
            case "CLOSE": disconnect(peer, from: message.destination)
            default: break
            }
        } else if message.destination == CastID.receiver {
            // Another text is not even parsed.
            let namespaces = [CastNamespace.receiver, CastNamespace.discovery, CastNamespace.setup]
            guard namespaces.contains(message.namespace), let object = message.object else { return }
            let request = IncomingRequest(object, peer, message, faults)
            switch message.namespace {
            case CastNamespace.receiver: handle(ReceiverRequest(object), request, at: now)
            case CastNamespace.discovery, CastNamespace.setup: answerSetup(request)
            default: break
            }
        } else if let running, message.destination == running.sessionID,
            connections[peer]?.contains(running.sessionID) ?? false
        {
            if message.namespace == CastNamespace.media, running.app.playsMedia {
                guard let object = message.object else { return }
                handle(MediaRequest(object), IncomingRequest(object, peer, message, faults), at: now)
            } else if running.app.ownNamespaces.contains(message.namespace) {
                answer(message, of: peer, in: running.app)
            }
        }
    }

    /// A request with what its answer needs.
    struct IncomingRequest: Sendable {
        let object: JSONObject
        let peer: CastPeer
        let namespace: String
        /// To what the sender has addressed it, which is where the answer comes from.
        let destination: String
        let faults: CastFaults

        init(_ object: JSONObject, _ peer: CastPeer, _ message: CastMessage, _ faults: CastFaults) {
            (self.object, self.peer, self.faults) = (object, peer, faults)
            (namespace, destination) = (message.namespace, message.destination)
        }

        var requestID: Int { object.integer("requestId") ?? 0 }

        var waiting: Waiting {
            Waiting(
                peer: peer,
                source: destination,
                requestID: requestID,
                hasWrongRequestID: faults.hasWrongRequestID
            )
        }
    }

    private mutating func answer(_ message: CastMessage, of peer: CastPeer, in app: CastApp) {
        guard case .text(let text) = message.payload else {
            return report("MESSAGE", ["sender": peer.id, "app": app.name, "namespace": message.namespace])
        }
        let details = ["sender": peer.id, "app": app.name, "namespace": message.namespace, "text": text]
        report("MESSAGE", details)
        for reply in app.replies {
            guard let answer = reply.answer(to: text) else { continue }
            return send(.text(answer), message.namespace, from: message.destination, to: peer)
        }
    }

    private mutating func answerSetup(_ request: IncomingRequest) {
        let object = request.object
        if request.namespace == CastNamespace.discovery, object.text("type") == "GET_DEVICE_INFO" {
            reply(
                [
                    "type": "DEVICE_INFO", "deviceId": .string(configuration.id),
                    "friendlyName": .string(configuration.name), "deviceModel": .string(configuration.model),
                    "deviceCapabilities": 6_149, "controlNotifications": 1,
                ],
                to: request
            )
        } else if request.namespace == CastNamespace.setup, object.text("type") == "eureka_info" {
            let device: JSONObject = [
                "manufacturer": "hap", "product_name": .string(configuration.model),
                "ssdp_udn": .string(configuration.id),
            ]
            let data: JSONObject = ["name": .string(configuration.name), "version": 8, "device_info": .object(device)]
            var answer: JSONObject = ["type": "eureka_info", "response_code": 200, "response_string": "OK"]
            answer["data"] = .object(data)
            answer["request_id"] = object["request_id"]
            send(answer, request.namespace, from: request.destination, to: request.peer)
        }
    }

    // MARK: Answers

    mutating func reply(_ object: JSONObject, to request: IncomingRequest) {
        reply(object, to: request.waiting, request.namespace)
    }

    mutating func reply(_ object: JSONObject, to waiting: Waiting, _ namespace: String) {
        var object = object
        object["requestId"] = .integer(waiting.hasWrongRequestID ? waiting.requestID &+ 1_000 : waiting.requestID)
        send(object, namespace, from: waiting.source, to: waiting.peer)
    }

    mutating func send(_ object: JSONObject, _ namespace: String, from source: String, to peer: CastPeer) {
        send(.object(object), namespace, from: source, to: peer)
    }

    mutating func send(_ payload: CastMessage.Payload, _ namespace: String, from source: String, to peer: CastPeer) {
        outgoing.append((CastMessage(from: source, to: peer.id, namespace, payload), peer.connection))
    }

    /// Sends a message to all senders that are connected to its source, except one.
    mutating func broadcast(
        _ object: JSONObject,
        _ namespace: String,
        from source: String,
        except peer: CastPeer? = nil
    ) {
        let peers = peers(of: source)
        guard !peers.isEmpty else { return }
        for (connection, own) in Dictionary(grouping: peers, by: \.connection).sorted(by: { $0.key < $1.key }) {
            if let peer, peer.connection == connection {
                for other in own where other != peer { send(object, namespace, from: source, to: other) }
            } else {
                outgoing.append(
                    (CastMessage(from: source, to: CastID.everyone, namespace, .object(object)), connection)
                )
            }
        }
    }

    // MARK: Volume and power

    /// Sets the volume as the television does, and says so to all senders.
    package mutating func setVolume(_ volume: CastVolume) {
        guard volume != self.volume else { return }
        self.volume = volume
        broadcastStatus()
    }

    /// Applies the volume of a sender.
    mutating func applyVolume(_ object: JSONObject) {
        if !configuration.hasFixedVolume { volume.apply(object) }
    }

    /// Sets whether the television shows a picture; a television that is off runs no app.
    package mutating func setActive(_ isActive: Bool, at now: MonotonicInstant) {
        guard isActive != self.isActive else { return }
        self.isActive = isActive
        if !isActive, running != nil || launch != nil {
            stopApp(at: now)
        } else {
            broadcastStatus()
        }
    }

    // MARK: Numbers

    mutating func nextMediaID() -> Int {
        lastMediaID += 1
        return lastMediaID
    }

    /// Returns a random UUID, with hyphens.
    mutating func makeID() -> String {
        let digits = (0..<2).map { _ in random.next().paddedHexadecimal }.joined()
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            .map { String(digits.dropFirst($0.lowerBound).prefix($0.count)) }
            .joined(separator: "-")
    }

    mutating func makeSeed() -> UInt64 { random.next() }
}
