internal import AccessoryModel
internal import AsyncPrimitives
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
    /// Where the pairing is stored; `nil` when nothing is to be stored.
    nonisolated let store: (any ControllerStore)?
    nonisolated let finder: (any AddressFinding)?
    nonisolated let eventLoop: any EventLoop
    private nonisolated let executor: any NIOSerialEventLoopExecutor

    /// Where it was last.
    var place: AccessoryPlace?
    var link = Link.idle
    /// Counts the sessions, and the attempts to open one.
    var lastSession: UInt64 = 0
    /// Those who wait for the session that is being opened.
    var sessionWaiters: [UInt64: CheckedContinuation<Result<AccessorySession, ControllerError>, Never>] = [:]
    var lastWaiter: UInt64 = 0

    /// What it announces, as far as that is being listened to.
    var announcements = Announcements()
    /// The configuration number that was announced where the present session leads, `nil` when none was.
    var sessionConfigurationNumber: UInt64?
    /// The database as it is known.
    var database: ReadDatabase?

    var subscribers: [UInt64: Subscriber] = [:]
    var lastSubscriber: UInt64 = 0
    /// What the present session is subscribed to.
    var subscribed: Set<CharacteristicID> = []
    var reconnect: ReconnectMachine
    var reconnectTimer: Scheduled<Void>?
    /// Tells those who watch of a session that was opened again.
    var restoring: Task<Void, Never>?
    /// Whether that has to be done once more.
    var restoresAgain = false

    /// What there is of a session.
    enum Link {
        case idle
        case opening(UInt64, Task<Void, Never>)
        case open(AccessorySession)
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
        _ kept: StoredPairing,
        identity: ControllerIdentity,
        configuration: ControllerConfiguration,
        store: (any ControllerStore)?,
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
        place = kept.place
        reconnect = ReconnectMachine(
            shortest: configuration.firstReconnectDelay,
            longest: configuration.longestReconnectDelay
        )
    }

    deinit {
        announcements.listener?.cancel()
    }

    /// Ends the session and every watch, and the opening of a session at once; nothing can be asked of it afterwards.
    public func close() {
        let link = self.link
        self.link = .closed
        reconnectTimer?.cancel()
        reconnectTimer = nil
        restoring?.cancel()
        stopListening()
        for subscriber in subscribers.values {
            subscriber.beginning?.cancel()
            subscriber.mailbox.finish()
        }
        subscribers = [:]
        switch link {
        case .opening(_, let task):
            task.cancel()
            endWaiting(with: .failure(.closed))
        case .open(let session):
            session.connection.close()
        case .idle, .closed:
            break
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
}

/// One session with an accessory.
struct AccessorySession: Sendable {
    /// Tells it from the accessory's other sessions, 1 and up.
    let number: UInt64
    let connection: AccessoryConnection

    /// Asks the accessory one thing.
    nonisolated(nonsending) func ask(
        _ request: HTTPRequest,
        within patience: Duration
    ) async throws(ControllerError) -> HTTPMessage {
        try await connection.request(request, within: patience)
    }

    /// Ends it over an answer that breaks the protocol.
    func end(over fault: ProtocolError) -> ControllerError {
        connection.close(.fault(fault))
        return .malformed(fault, at: connection.place)
    }
}
