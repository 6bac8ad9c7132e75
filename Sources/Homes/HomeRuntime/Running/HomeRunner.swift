internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
package import HomeModel

/// A runner of a home.
///
/// It passes the changes of the backend to the engine and writes what the engine requests, with one request for each
/// server.
///
/// ```swift
/// let runner = HomeRunner(home, on: NetworkBackend(controller), clock: MachineClock(), observer: printer)
/// await runner.run()
/// ```
package actor HomeRunner {
    let backend: any HomeBackend
    package let clock: any HomeClock
    let observer: (any HomeRunObserver)?
    var engine: HomeEngine

    private var selectorsByReference: [CharacteristicReference: CharacteristicSelector] = [:]
    private var accessoriesByServer: [DeviceID: [ObjectID<HomeAccessory>]] = [:]
    private let homeEdited = AsyncSignal()
    /// The number of callers that currently advance the time manually.
    ///
    /// Until they have finished, the running home processes no changes.
    var manualTimeCount = 0
    let manualTimeEnded = AsyncSignal()
    private var queues: [DeviceID: ServerWriteQueue] = [:]
    /// The runs that ``run()`` begins at once.
    ///
    /// The engine requests at most ten runs of an automation within a minute.
    private let queuedRuns: AsyncStream<QueuedRun>
    private let runQueue: AsyncStream<QueuedRun>.Continuation

    /// A request of the engine with its positions in the queues of the servers.
    struct QueuedRun: Sendable {
        let request: RunRequest
        let execution: ActionExecution
        let positions: [Int]
    }

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - home: The home to run.
    ///   - world: The accessories on which the home runs.
    ///   - clock: The clock of the home.
    ///   - now: The current time of the clock.
    ///   - calendar: The calendar of the home, or `nil` for the one of its time zone.
    ///   - memory: The engine state from an earlier runner of this home.
    ///   - observer: An observer of the events.
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

    /// The running home.
    package var home: Home { engine.home }

    /// The engine state to pass to the next runner of this home.
    package var memory: EngineState { engine.state }

    /// Runs the home until the task is canceled.
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

    /// Replaces the home with an edited version, and continues to run.
    package func replace(with home: Home) async {
        let now = await clock.now
        let before = (home: engine.home, references: observedReferences)
        (selectorsByReference, accessoriesByServer) = Self.indexes(of: home)
        let actions = engine.replace(home: home, calendar: FoundationCalendar(of: home), at: now)
        enqueue(handle(actions))
        if observedReferences != before.references {
            homeEdited.signal()
        }
        reportEdit(of: before.home, at: now)
        backend.mailbox.wake()
    }

    /// Sets whether a user is at home; `nil` if it is unknown.
    package func setPresence(_ isHome: Bool?, of user: ObjectID<HomeUser>) async {
        let now = await clock.now
        let before = engine.home
        enqueue(handle(engine.observe(.presence(user, isHome: isHome), at: now)))
        reportEdit(of: before, at: now)
        backend.mailbox.wake()
    }

    /// Runs actions that a user requests, such as those of a scene, and returns the result of each.
    package func run(_ actions: [HomeAction]) async -> [ActionResult] {
        await backend.run(actions, in: home)
    }

    /// Does what a phrase says in the home, or answers it.
    package func perform(_ phrase: Phrase, isDryRun: Bool) async throws(HomeError) -> PhraseOutcome {
        try await backend.perform(phrase, in: home, isDryRun: isDryRun)
    }

    /// Reads the states of services.
    package func statuses(of services: [HomeService]) async -> [ServiceStatus] {
        await backend.statuses(of: services, in: home)
    }

    // MARK: - Changes

    /// The observed characteristics: all that send events, and also those that can only be read, because their initial
    /// values are needed.
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

    /// Passes changes to the engine, and returns its requests.
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

    /// Reports that the home has changed, if it has.
    func reportEdit(of before: Home, at now: WallInstant) {
        guard engine.home != before else { return }
        observer?.observe(.edited, in: engine.home, at: now)
    }

    /// Reports the journal entries of the engine, and returns its requests.
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

    // MARK: - Execution

    private func enqueue(_ requests: [RunRequest]) {
        for job in requests.map(queuedRun) {
            runQueue.yield(job)
        }
    }

    /// Plans a request, and reserves its positions in the queues of the servers.
    func queuedRun(for request: RunRequest) -> QueuedRun {
        let run = ActionExecution(request.actions, in: home)
        let tickets = run.plan.requests.map { queues[$0.server, default: ServerWriteQueue()].join() }
        return QueuedRun(request: request, execution: run, positions: tickets)
    }

    private func execute(_ job: QueuedRun) async {
        let results = await job.execution.execute { request, index in await self.write(request, job.positions[index]) }
        observer?.observe(.ran(job.request, results), in: home, at: await clock.now)
    }

    /// Writes a request when it is its turn.
    func write(_ request: ServerWriteRequest, _ ticket: Int) async -> [ActionResult.Outcome] {
        if queues[request.server]?.isNext(ticket) == false {
            await withCheckedContinuation { queues[request.server]?.wait(ticket, $0) }
        }
        let outcomes = await backend.write(request)
        queues[request.server]?.next()?.resume()
        return outcomes
    }
}

/// A queue of the writes to one server, which are executed one after the other in the order of the requests.
struct ServerWriteQueue {
    private var nextPosition = 0
    private var servedPosition = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    /// Reserves the position at the end of the queue, and returns it.
    mutating func join() -> Int {
        defer { nextPosition += 1 }
        return nextPosition
    }

    /// Returns whether it is the turn of a position.
    func isNext(_ ticket: Int) -> Bool {
        ticket == servedPosition
    }

    /// Waits for the turn of a position.
    mutating func wait(_ ticket: Int, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[ticket] = continuation
    }

    /// Ends the current turn, and returns the continuation of the next one if it is already waiting.
    mutating func next() -> CheckedContinuation<Void, Never>? {
        servedPosition += 1
        return waiting.removeValue(forKey: servedPosition)
    }
}
