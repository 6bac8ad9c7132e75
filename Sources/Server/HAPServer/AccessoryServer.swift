internal import AccessoryModel
internal import Discovery
internal import HAPCore
public import NIOCore
internal import NIOPosix
internal import Storage

/// A server for one accessory, or for a bridge and its accessories.
///
/// The executor of the actor is an event loop, and the handlers of its connections run on the same loop, so a request
/// is answered without a thread hop. Only the large exponentiations of pair-setup, the store and the advertisement run
/// elsewhere.
///
/// ```swift
/// let server = try await AccessoryServer.start(configuration, accessories: [lamp], store: store)
/// await server.run()
/// ```
public actor AccessoryServer {
    /// The name, the addresses and the options of the server.
    public nonisolated let configuration: ServerConfiguration
    /// The event loop on which the server runs.
    public nonisolated let eventLoop: any EventLoop
    /// The event loop as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    nonisolated let ports: ServerPorts
    nonisolated private let trafficSwitch: TrafficSwitch?
    private nonisolated let executor: any NIOSerialEventLoopExecutor
    /// Resumes the worker on the event loop, which a task without a preference reaches by way of another thread.
    private nonisolated let loop: ServerLoop

    /// Lazy, because it must be created on the event loop that it belongs to.
    lazy var transport = SharedTransport(configuration.connectionLimits, on: eventLoop)
    var records: ServerRecords
    var database: AttributeDatabase
    var handlerRegistry: HandlerRegistry
    var lifecycle = Lifecycle()
    var presence: NetworkPresence
    var connections = ConnectionTable()
    var deferredWork = DeferredWorkQueue()
    var eventSendQueue = EventSendQueue()
    var pairSetupState: PairSetupState
    var behaviors: BehaviorTimer
    var unsavedValues = UnsavedValues()
    private var waitingWork: WaitingWork
    private var isWorkFinished = false
    private var isWorking = false
    private var worker: Task<Void, Never>?
    private var keyPreparation: Task<Void, Never>?

    init(
        configuration: ServerConfiguration,
        start: ServerStart,
        eventLoop: any EventLoop & NIOSerialEventLoopExecutor,
        ports: ServerPorts
    ) {
        self.configuration = configuration
        pairSetupState = PairSetupState(configuration.connectionLimits, code: start.records.identity.setupCode)
        behaviors = BehaviorTimer(configuration.behaviorClock)
        self.eventLoop = eventLoop
        executor = eventLoop
        loop = ServerLoop(eventLoop, pauses: false)
        self.ports = ports
        trafficSwitch = ports.traffic?.isWanted
        presence = NetworkPresence(model: start.model)
        records = start.records
        database = start.database
        handlerRegistry = HandlerRegistry(HandlerTable(ports.handlers, keys: ports.references))
        waitingWork = WaitingWork(maximumRequests: configuration.maximumConnections)
    }

    nonisolated var observer: (any ServerObserver)? { ports.observer }
    /// The observer of messages while it wants them, otherwise `nil`.
    nonisolated var traffic: (any TrafficObserver)? {
        guard let trafficSwitch, trafficSwitch.isOn else { return nil }
        return ports.traffic
    }

    /// The present moment on the loop's clock.
    nonisolated var now: MonotonicInstant {
        MonotonicInstant(eventLoop.now)
    }

    /// Queues work for the worker.
    ///
    /// Returns `false` if the server has stopped, or if too many requests wait; the work is then not done.
    @discardableResult
    func enqueue(_ work: ServerWork) -> Bool {
        guard !isWorkFinished else { return false }
        switch waitingWork.add(work) {
        case .enqueue:
            startWorker()
            return true
        case .isWaiting: return true
        case .refuse: return false
        }
    }

    /// Writes a record to the store, and notifies the observer that it is on disk.
    nonisolated(nonsending) func stored(
        _ record: StoredRecord,
        _ write: () async throws(StoreError) -> Void
    ) async throws(StoreError) {
        let begin = now
        try await write()
        observer?.observe(.storeWritten(record, begin.duration(to: now)))
    }

    /// Starts the worker, unless it is working.
    ///
    /// It ends when no work is left.
    private func startWorker() {
        guard !isWorking else { return }
        isWorking = true
        worker = Task(executorPreference: loop) { await self.performWork() }
    }

    /// Performs the work that waits and may leave the event loop.
    ///
    /// Changes of pairings and accessories are decided and made one after the other.
    private func performWork() async {
        while let work = waitingWork.next() {
            switch work {
            case .prepareServerKey:
                keyPreparation = Task { await prepareServerKey() }
            case .persist(let change, let connection):
                await persist(change, for: connection)
            case .managePairings(let message, let connection):
                await managePairings(message, from: connection)
            case .replaceAccessories(let accessories, let declaration, let continuation):
                do {
                    try await performReplacement(with: accessories, of: declaration)
                    continuation.resume()
                } catch {
                    continuation.resume(throwing: error)
                }
            case .saveValues:
                await saveValues()
            case .applyConditions(let continuation):
                await applyConditions()
                continuation?.resume()
            case .forgetPairings(let controller, let continuation):
                let change = controller.map { records.pairings.keepingAnAdmin(.remove($0)) }
                await persist(change ?? .removeAll, for: nil)
                continuation.resume()
            }
        }
        isWorking = false
    }

    /// Waits until the queued work is done.
    func finishWork() async {
        try? await pairSetupState.computation?.get()
        isWorkFinished = true
        await worker?.value
        await keyPreparation?.value
    }

    /// The number that counts the changes of the structure.
    package var configurationNumber: UInt16 {
        records.configuration.number
    }

    /// The port on which the server listened before, or else the one to listen on; 0 for any.
    var wantedPort: UInt16 {
        presence.listener.port ?? (configuration.port == 0 ? records.identity.port ?? 0 : configuration.port)
    }

    /// The name, port, identity and setup code of the server.
    public var information: ServerInformation {
        var port = wantedPort
        if case .serving(let channel) = lifecycle.state, let bound = channel.localAddress?.port {
            port = UInt16(clamping: bound)
        }
        let payload = SetupPayload(
            setupCode: records.identity.setupCode,
            setupID: records.identity.setupID,
            category: configuration.category,
            flags: .ip
        )
        return ServerInformation(
            name: configuration.name,
            deviceID: records.identity.identity.deviceID,
            port: port,
            setupCode: records.identity.setupCode,
            setupURI: payload.text,
            category: configuration.category,
            isPaired: records.pairings.isPaired
        )
    }
}

/// Work that leaves the event loop, or that must wait for earlier work to be done.
enum ServerWork: Sendable {
    /// Generates a key pair in advance for the next pair-setup.
    case prepareServerKey
    /// Makes a change of the pairings, for which the pair-setup of a connection may wait.
    case persist(PairingChange, for: ConnectionID?)
    /// Answers a request to `/pairings` when every earlier change is on disk.
    case managePairings([UInt8], from: ConnectionID)
    /// Replaces the accessories, and the handlers if a program has declared them again.
    case replaceAccessories([Accessory], of: Declaration?, CheckedContinuation<Void, any Error>)
    /// Saves the values that have changed.
    case saveValues
    /// Applies the conditions of the fault injection.
    case applyConditions(CheckedContinuation<Void, Never>?)
    /// Deletes all pairings.
    case forgetPairings(of: ControllerIdentifier?, CheckedContinuation<Void, Never>)
}
