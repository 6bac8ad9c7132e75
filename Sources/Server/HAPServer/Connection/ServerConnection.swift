internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// The server's state of one connection.
///
/// It belongs to the server's actor and never leaves it.
class ServerConnection {
    let id: ConnectionID
    let peer: String
    /// The host at the other end.
    let host: PeerHost
    /// The transport; like everything here, it is used only on the event loop.
    let channelHandler: AccessoryChannelHandler

    var pairSetup: PairSetupAccessory
    var pairVerify: PairVerifyAccessory
    var pairings = PairingsAccessory()
    /// The session of the controller at the other end, after pair-verify.
    var session: Session?
    /// Whether the session has sent a request.
    var isActive = false
    var preparedWrite: PreparedWrite?
    var events: EventQueue
    var eventTimer: Scheduled<Void>?
    /// The reason why the server closed the connection.
    var closeReason: CloseReason?
    /// Whether each change is sent at once, in a message of its own.
    var sendsEventsIndividually = false
    /// The time at which the last complete request arrived, or the connection was opened.
    var lastProgress: MonotonicInstant
    /// The time at which an incomplete request was first noticed.
    var receivingSince: MonotonicInstant?

    /// A verified controller.
    struct Session {
        let controller: ControllerIdentifier
        var isAdmin: Bool
    }

    required init(
        id: ConnectionID,
        peer: SocketAddress?,
        channel: AccessoryChannelHandler,
        identity: AccessoryIdentity,
        verifier: SRPVerifier,
        eventInterval: Duration = EventQueue.standardInterval,
        openedAt now: MonotonicInstant
    ) {
        self.id = id
        self.peer = peer?.hostAndPort ?? "unknown"
        host = PeerHost(peer)
        self.channelHandler = channel
        pairSetup = PairSetupAccessory(identity: identity, verifier: verifier)
        pairVerify = PairVerifyAccessory(identity: identity)
        events = EventQueue(minimumInterval: eventInterval)
        lastProgress = now
    }

    /// Called when the connection was accepted; ``FaultyConnection`` can delay or close it.
    func didOpen(by server: isolated AccessoryServer) {}

    /// Handles a complete request; ``FaultyConnection`` can delay or drop it.
    func handle(_ request: HTTPRequest, by server: isolated AccessoryServer) {
        server.route(request, from: self)
    }

    /// Returns statuses that replace those of the items of a read: one for each item, or none.
    func refusals(of request: CharacteristicReadRequest, by server: isolated AccessoryServer) -> [HAPStatus?] {
        []
    }

    /// Returns statuses that replace those of the items of a write: one for each item, or none.
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

    /// Cancels the timers of the connection, which has closed.
    func didClose() {
        eventTimer?.cancel()
    }
}

extension ServerConnection {
    /// Returns whether a request has been incomplete for too long, or the connection has been unverified and idle for
    /// too long.
    ///
    /// The time of an incomplete request is counted from the first call that notices it, so the request may get more
    /// time than the limit but never less.
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
