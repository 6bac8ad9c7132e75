internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
package import HomeModel

/// Runs a home: what happens in its world goes to the engine, and what the engine wants is written, one request for each
/// server.
///
/// ```swift
/// let runner = HomeRunner(home, on: NetworkBackend(controller), clock: MachineClock(), observer: printer)
/// await runner.run()
/// ```
package actor HomeRunner {
    let backend: any HomeBackend
    let clock: any HomeClock
    let observer: (any HomeRunObserver)?
    var engine: HomeEngine

    private var selectorsByReference: [CharacteristicReference: CharacteristicSelector] = [:]
    private var accessoriesByServer: [DeviceID: [ObjectID<HomeAccessory>]] = [:]
    private let homeEdited = AsyncSignal()
    /// How many let time pass at once in the home that runs: until they are through, it listens to nothing.
    var manualTimeCount = 0
    let manualTimeEnded = AsyncSignal()
    private var queues: [DeviceID: ServerWriteQueue] = [:]
    private let queuedRuns: AsyncStream<QueuedRun>
    private let runQueue: AsyncStream<QueuedRun>.Continuation

    /// A request of the engine with its places in the servers' lines.
    struct QueuedRun: Sendable {
        let request: RunRequest
        let execution: ActionExecution
        let positions: [Int]
    }

    /// - Parameters:
    ///   - now: What the clock shows.
    ///   - calendar: The home's time zone.
    ///   - memory: What an earlier runner of this home had to remember.
    package init(
        _ home: Home,
        on world: any HomeBackend,
        clock: any HomeClock,
        startedAt now: WallInstant,
        calendar: (any CivilCalendar)? = nil,
        memory: EngineState = EngineState(),
        observer: (any HomeRunObserver)? = nil
    ) {
        self.backend = world
        self.clock = clock
        self.observer = observer
        engine = HomeEngine(
            home: home,
            calendar: calendar ?? FoundationCalendar(of: home),
            startedAt: now,
            memory: memory
        )
        (queuedRuns, runQueue) = AsyncStream.makeStream()
        (selectorsByReference, accessoriesByServer) = Self.indexes(of: home)
    }

    /// The home as it is run.
    package var home: Home { engine.home }

    /// What the next runner of this home has to remember.
    package var memory: EngineState { engine.state }

    /// Runs the home until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.observeReferences() }
            group.addTask { await self.processChangesAndDeadlines() }
            for await job in queuedRuns {
                group.addTask { await self.execute(job) }
            }
            group.cancelAll()
        }
    }

    /// Goes on with a home that was edited.
    package func replace(with home: Home) async {
        let now = await clock.now
        let before = observedReferences
        (selectorsByReference, accessoriesByServer) = Self.indexes(of: home)
        let actions = engine.replace(home: home, calendar: FoundationCalendar(of: home), at: now)
        enqueue(handle(actions))
        if observedReferences != before {
            homeEdited.signal()
        }
        backend.mailbox.wake()
    }

    /// Somebody came or went; `nil` when nobody knows.
    package func setPresence(_ isHome: Bool?, of user: ObjectID<HomeUser>) async {
        let now = await clock.now
        enqueue(handle(engine.observe(.presence(user, isHome: isHome), at: now)))
        backend.mailbox.wake()
    }

    // MARK: - What happens

    /// Which characteristics are watched: all that tell of changes, and of the others those that can be read at the
    /// beginning.
    var observedReferences: Set<CharacteristicReference> {
        Set(selectorsByReference.keys)
    }

    private func observeReferences() async {
        while !Task.isCancelled {
            let references = observedReferences
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [backend] in await backend.observe(references) }
                group.addTask { [homeEdited] in await homeEdited.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func processChangesAndDeadlines() async {
        while !Task.isCancelled {
            let deadline = engine.nextDeadline
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [backend] in await backend.mailbox.wait() }
                group.addTask { [clock] in await clock.wait(until: deadline) }
                await group.next()
                group.cancelAll()
            }
            let now = await clock.now
            guard manualTimeCount == 0 else {
                await manualTimeEnded.wait()
                continue
            }
            enqueue(handle(backend.mailbox.dequeue() ?? [], at: now))
            enqueue(handle(engine.advance(to: now)))
        }
    }

    /// Tells the engine of changes; returns what it wants done.
    func handle(_ changes: [BackendChange], at now: WallInstant) -> [RunRequest] {
        changes.flatMap { handle($0, at: now) }
    }

    private func handle(_ change: BackendChange, at now: WallInstant) -> [RunRequest] {
        switch change {
        case .value(let reference, let value):
            guard let selector = selectorsByReference[reference] else { return [] }
            observer?.observe(.value(selector, value), in: home, at: now)
            return handle(engine.observe(.value(selector, value), at: now))
        case .accepted(let reference, let value):
            guard let selector = selectorsByReference[reference] else { return [] }
            observer?.observe(.accepted(selector, value), in: home, at: now)
            return handle(engine.observe(.value(selector, value), at: now))
        case .reachable(let server):
            observer?.observe(.reachable(server), in: home, at: now)
            return []
        case .unreachable(let server, let reason):
            observer?.observe(.unreachable(server, reason), in: home, at: now)
            return (accessoriesByServer[server] ?? [])
                .flatMap { handle(engine.observe(.unreachable($0), at: now)) }
        case .structureChanged(let server):
            observer?.observe(.structureChanged(server), in: home, at: now)
            return []
        }
    }

    /// Tells what the engine says; returns what it wants done.
    func handle(_ actions: [EngineAction]) -> [RunRequest] {
        actions.compactMap { action in
            switch action {
            case .run(let request): return request
            case .journal(let entry):
                observer?.observe(.journal(entry), in: home, at: entry.instant)
                return nil
            }
        }
    }

    private static func indexes(
        of home: Home
    ) -> ([CharacteristicReference: CharacteristicSelector], [DeviceID: [ObjectID<HomeAccessory>]]) {
        var selectors: [CharacteristicReference: CharacteristicSelector] = [:]
        var accessories: [DeviceID: [ObjectID<HomeAccessory>]] = [:]
        let watched = home.observedSelectors
        for accessory in home.accessories {
            guard let reference = accessory.reference else { continue }
            accessories[reference.server, default: []].append(accessory.id)
            for service in accessory.services {
                for characteristic in service.characteristics
                where !characteristic.permissions.isDisjoint(with: [.read, .events]) && characteristic.type != .name {
                    let selector = CharacteristicSelector(service: service.id, type: characteristic.type)
                    guard let iid = characteristic.iid, service.isVisible || watched.contains(selector) else {
                        continue
                    }
                    let place = CharacteristicReference(accessory: reference, iid: iid)
                    selectors[place] = selector
                }
            }
        }
        return (selectors, accessories)
    }

    // MARK: - What is done

    private func enqueue(_ requests: [RunRequest]) {
        for job in requests.map(queuedRun) {
            runQueue.yield(job)
        }
    }

    /// Plans a request, and takes its places in the lines.
    func queuedRun(for request: RunRequest) -> QueuedRun {
        let run = ActionExecution(request.actions, in: home)
        let tickets = run.plan.requests.map { queues[$0.server, default: ServerWriteQueue()].join() }
        return QueuedRun(request: request, execution: run, positions: tickets)
    }

    private func execute(_ job: QueuedRun) async {
        let results = await job.execution.execute { request, index in await self.write(request, job.positions[index]) }
        observer?.observe(.ran(job.request, results), in: home, at: await clock.now)
    }

    /// Writes one request when it is its turn.
    func write(_ request: ServerWriteRequest, _ ticket: Int) async -> [ActionResult.Outcome] {
        if queues[request.server]?.isNext(ticket) == false {
            await withCheckedContinuation { queues[request.server]?.wait(ticket, $0) }
        }
        let outcomes = await backend.write(request)
        queues[request.server]?.next()?.resume()
        return outcomes
    }
}

/// Who writes to a server, one after the other, in the order in which it was decided.
struct ServerWriteQueue {
    private var nextPosition = 0
    private var servedPosition = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    /// Takes the place at the end.
    mutating func join() -> Int {
        defer { nextPosition += 1 }
        return nextPosition
    }

    /// Whether it is a ticket's turn.
    func isNext(_ ticket: Int) -> Bool {
        ticket == servedPosition
    }

    /// Waits for a ticket's turn.
    mutating func wait(_ ticket: Int, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[ticket] = continuation
    }

    /// Ends the turn of the one whose it is; returns who is next, when they wait already.
    mutating func next() -> CheckedContinuation<Void, Never>? {
        servedPosition += 1
        return waiting.removeValue(forKey: servedPosition)
    }
}
