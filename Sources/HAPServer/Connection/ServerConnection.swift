internal import AccessoryModel
internal import HAPCore
internal import HAPTransport
internal import NIOCore

/// What a server knows of one connection.
///
/// Belongs to the server's actor and never leaves it.
final class ServerConnection {
    let id: ConnectionID
    let peer: String
    /// Where it comes from.
    let host: PeerHost
    /// The transport; only on the event loop, as everything here.
    let channel: AccessoryChannelHandler

    var pairSetup: PairSetupAccessory
    var pairVerify: PairVerifyAccessory
    var pairings = PairingsAccessory()
    /// The controller at the other end, once it has proved who it is.
    var session: Session?
    /// Whether the session has asked for something.
    var isActive = false
    var prepared: PreparedWrite?
    var events = EventQueue()
    var eventTimer: Scheduled<Void>?
    /// Whether it waits for its turn to be sent the events that are due.
    var isInEventLine = false
    /// Why the server ended it, once it did.
    var closeReason: CloseReason?
    /// Requests are not acted on before this moment: an injected fault.
    var heldUntil: MonotonicInstant?
    /// What the request is about that is being answered; kept for injected faults alone.
    var subject: RequestSubject?
    /// What it has unsubscribed from; kept for injected faults alone.
    var unsubscribed: Set<CharacteristicID> = []
    /// Whether each change is told at once, in a message of its own: an injected habit.
    var tellsSingly = false
    /// The response that an injected fault delays.
    var heldResponse: HeldResponse?
    /// What else injected faults delay.
    var heldBack = HeldBack()
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
        channel: NIOLoopBound<AccessoryChannelHandler>,
        identity: AccessoryIdentity,
        verifier: SRPVerifier,
        openedAt now: MonotonicInstant
    ) {
        self.id = id
        self.peer = peer?.hostAndPort ?? "unknown"
        host = PeerHost(peer)
        self.channel = channel.value
        pairSetup = PairSetupAccessory(identity: identity, verifier: verifier)
        pairVerify = PairVerifyAccessory(identity: identity)
        lastProgress = now
    }
}
