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

extension ServerConnection {
    /// Whether a request of it has been on its way for too long, or it has been silent for too long without a session.
    ///
    /// Notes that a request is on its way: it has been since it was first seen, so that it is given rather more time
    /// than too little.
    func isOverdue(at now: MonotonicInstant, _ limits: ConnectionLimits) -> Bool {
        if channel.isReceiving {
            guard let since = receivingSince, since >= lastProgress else {
                receivingSince = now
                return false
            }
            return since.advanced(by: session == nil ? limits.requestTime : limits.sessionRequestTime) <= now
        }
        receivingSince = nil
        guard session == nil, !channel.isBusy else { return false }
        let idleTime = pairSetup.isInProgress ? limits.pairSetupIdleTime : limits.idleTime
        return lastProgress.advanced(by: idleTime) <= now
    }
}

/// What injected faults hold back of one connection: requests, events and event messages that come later.
///
/// Belongs to the server's actor and never leaves it.
struct HeldBack {
    /// What is held back, by its place in the order in which it was to come.
    private var waiting: [UInt64: (change: CharacteristicID?, timer: Scheduled<Void>)] = [:]
    private var last: UInt64 = 0

    /// Holds something back until a timer lets it come.
    ///
    /// - Parameters:
    ///   - change: Whose change it is that later ones make worthless; `nil` for what always comes.
    ///   - timer: Makes the timer, which takes out what has this number.
    mutating func hold(_ change: CharacteristicID?, until timer: (_ number: UInt64) -> Scheduled<Void>) {
        last += 1
        waiting[last] = (change, timer(last))
    }

    /// Takes out what comes now.
    mutating func take(_ number: UInt64) {
        waiting[number] = nil
    }

    /// Gives up the changes of a characteristic that are older than the one that comes now.
    ///
    /// - Parameter number: Of the one that comes now; `nil` for one that was not held back.
    mutating func overtake(_ id: CharacteristicID, by number: UInt64? = nil) {
        for (older, held) in waiting where held.change == id && older < number ?? .max {
            held.timer.cancel()
            waiting[older] = nil
        }
    }

    /// Gives up everything.
    mutating func giveUp() {
        for held in waiting.values {
            held.timer.cancel()
        }
        waiting = [:]
    }
}

/// A response that an injected fault delays.
///
/// Belongs to the server's actor and never leaves it.
struct HeldResponse {
    let response: HTTPResponse
    let sequel: ResponseSequel
    let timer: Scheduled<Void>
}
