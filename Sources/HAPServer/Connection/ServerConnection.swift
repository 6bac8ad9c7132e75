internal import AccessoryModel
internal import HAPCore
internal import HAPTransport
internal import NIOCore

/// What a server knows of one connection.
///
/// Belongs to the server's actor and never leaves it.
class ServerConnection {
    let id: ConnectionID
    let peer: String
    /// Where it comes from.
    let host: PeerHost
    /// The transport; only on the event loop, as everything here.
    let channelHandler: AccessoryChannelHandler

    var pairSetup: PairSetupAccessory
    var pairVerify: PairVerifyAccessory
    var pairings = PairingsAccessory()
    /// The controller at the other end, once it has proved who it is.
    var session: Session?
    /// Whether the session has asked for something.
    var isActive = false
    var preparedWrite: PreparedWrite?
    var events = EventQueue()
    var eventTimer: Scheduled<Void>?
    /// Why the server ended it, once it did.
    var closeReason: CloseReason?
    /// Whether each change leaves at once, in a message of its own.
    var sendsEventsIndividually = false
    /// When a request last came in whole, or the connection was opened.
    var lastProgress: MonotonicInstant
    /// When a request that is still arriving was first seen to.
    var receivingSince: MonotonicInstant?

    /// A verified controller.
    struct Session {
        let controller: ControllerIdentifier
        var isAdmin: Bool
    }

    init(
        id: ConnectionID,
        peer: SocketAddress?,
        channel: AccessoryChannelHandler,
        identity: IdentityRecord,
        openedAt now: MonotonicInstant
    ) {
        self.id = id
        self.peer = peer?.hostAndPort ?? "unknown"
        host = PeerHost(peer)
        self.channelHandler = channel
        pairSetup = PairSetupAccessory(identity: identity.identity, verifier: identity.verifier)
        pairVerify = PairVerifyAccessory(identity: identity.identity)
        lastProgress = now
    }

    /// Begins to serve a connection that was accepted.
    func didOpen(by server: isolated AccessoryServer) {}

    /// Acts on a request that has arrived whole; ``FaultyConnection`` can delay or drop it.
    func handle(_ request: HTTPRequest, by server: isolated AccessoryServer) {
        server.route(request, from: self)
    }

    /// Returns statuses that items of a read get in place of their own: one for each item, or none at all.
    func refusals(of request: CharacteristicReadRequest, by server: isolated AccessoryServer) -> [HAPStatus?] {
        []
    }

    /// Returns statuses that items of a write get in place of their own: one for each item, or none at all.
    func refusals(of request: CharacteristicWriteRequest, by server: isolated AccessoryServer) -> [HAPStatus?] {
        []
    }

    /// Sends the response to the request that is being answered.
    func sendResponse(_ response: HTTPResponse, then sequel: ResponseCompletion, by server: isolated AccessoryServer) {
        channelHandler.respond(response, then: sequel)
    }

    /// Sends a message with these events.
    func sendEventMessage(_ message: [UInt8], about events: [PendingEvent], by server: isolated AccessoryServer) {
        channelHandler.send(message)
    }

    /// Ends what waits for a connection that has closed.
    func didClose() {
        eventTimer?.cancel()
    }
}

extension ServerConnection {
    /// Whether a request of it has been on its way for too long, or it has been silent for too long without a session.
    ///
    /// Notes that a request is on its way: it has been since it was first seen, so that it is given rather more time
    /// than too little.
    func isOverdue(at now: MonotonicInstant, _ limits: ConnectionLimits) -> Bool {
        if channelHandler.isReceiving {
            guard let since = receivingSince, since >= lastProgress else {
                receivingSince = now
                return false
            }
            return since.advanced(by: session == nil ? limits.requestTimeout : limits.sessionRequestTimeout) <= now
        }
        receivingSince = nil
        guard session == nil, !channelHandler.isBusy else { return false }
        let idleTime = pairSetup.isInProgress ? limits.pairSetupIdleTimeout : limits.idleTimeout
        return lastProgress.advanced(by: idleTime) <= now
    }
}
