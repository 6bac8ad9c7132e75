internal import AccessoryModel
public import HAPCore
internal import HAPTransport
internal import NIOCore

/// An accessory server that this controller is paired with.
///
/// It has one session, opened when it is needed and kept. Everything happens on one event loop, the session's too, so
/// that a change is handed on in the same turn in which it arrives.
public actor PairedAccessory {
    /// The name it is kept under.
    public nonisolated let alias: String
    /// Who it is; whoever answers as somebody else is refused.
    public nonisolated let pairing: AccessoryPairing
    /// The event loop as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    nonisolated let identity: ControllerIdentity
    nonisolated let configuration: ControllerConfiguration
    nonisolated let store: any ControllerStore
    nonisolated let finder: (any AddressFinding)?
    nonisolated let eventLoop: any EventLoop
    private nonisolated let executor: any NIOSerialEventLoopExecutor

    /// Where it was last.
    var place: AccessoryPlace?
    var link = Link.idle
    /// Counts the sessions, so that the end of an earlier one is told from the end of the present one.
    var sessionNumber: UInt64 = 0

    /// The configuration number that was announced last, `nil` while none is known.
    var configurationNumber: UInt64?
    /// The database as it is known.
    var database: ReadDatabase?

    var subscribers: [UInt64: Subscriber] = [:]
    var lastSubscriber: UInt64 = 0
    /// What the present session is subscribed to.
    var subscribed: Set<CharacteristicID> = []
    var reconnect: ReconnectMachine
    var reconnectTimer: Scheduled<Void>?
    /// Whether those who watch are being told of a session that was opened again.
    var isRestoring = false

    /// What there is of a session.
    enum Link {
        case idle
        case opening(Task<Result<AccessoryConnection, ControllerError>, Never>)
        case open(AccessoryConnection)
        case closed
    }

    /// The database, and when it was read.
    struct ReadDatabase {
        var accessories: [RemoteAccessory]
        /// The session in which it was read, 0 when it comes from the store.
        var session: UInt64
        /// The configuration number that was announced then.
        var configurationNumber: UInt64?
    }

    init(
        _ kept: KeptPairing,
        identity: ControllerIdentity,
        configuration: ControllerConfiguration,
        store: any ControllerStore,
        finder: (any AddressFinding)?,
        eventLoop: any EventLoop & NIOSerialEventLoopExecutor
    ) {
        alias = kept.alias
        pairing = kept.pairing
        self.identity = identity
        self.configuration = configuration
        self.store = store
        self.finder = finder
        self.eventLoop = eventLoop
        executor = eventLoop
        if let host = kept.host, let port = kept.port {
            place = AccessoryPlace(host: host, port: port)
        }
        reconnect = ReconnectMachine(
            shortest: configuration.firstReconnectDelay,
            longest: configuration.longestReconnectDelay
        )
    }

    /// Ends the session and every watch; nothing can be asked of it afterwards.
    public func close() {
        let link = self.link
        self.link = .closed
        reconnectTimer?.cancel()
        reconnectTimer = nil
        for subscriber in subscribers.values {
            subscriber.mailbox.finish(.success(()))
        }
        subscribers = [:]
        if case .open(let connection) = link {
            connection.close()
        }
    }

    /// Whether it was closed.
    var isClosed: Bool {
        if case .closed = link { true } else { false }
    }

    /// The present moment on the loop's clock.
    var now: MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(clamping: eventLoop.now.uptimeNanoseconds))
    }

    /// Asks the accessory one thing within the session.
    func ask(_ request: HTTPRequest, within patience: Duration? = nil) async throws(ControllerError) -> HTTPMessage {
        let connection = try await session()
        return try await connection.request(request, within: patience ?? configuration.requestTime)
    }

    /// Ends the session over an answer that breaks the protocol.
    ///
    /// - Parameter session: The one in which it came, when that may be another one than the present.
    func end(over fault: ProtocolError, in session: UInt64? = nil) -> ControllerError {
        guard case .open(let connection) = link, session ?? sessionNumber == sessionNumber else {
            return .malformed(fault, at: place ?? AccessoryPlace(host: alias, port: 0))
        }
        connection.close(.fault(fault))
        return .malformed(fault, at: connection.place)
    }
}
