internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
package import HomeModel

/// Runs a home: what happens in its world goes to the engine, and what the engine wants is written, one request for each
/// server.
///
/// ```swift
/// let runner = HomeRunner(home, on: NetworkWorld(controller), clock: MachineClock(), observer: printer)
/// await runner.run()
/// ```
package actor HomeRunner {
    let world: any HomeWorld
    let clock: any HomeClock
    let observer: (any HomeRunObserver)?
    var engine: HomeEngine

    private var selectors: [CharacteristicReference: CharacteristicSelector] = [:]
    private var accessories: [DeviceID: [ObjectID<HomeAccessory>]] = [:]
    private let isEdited = AsyncSignal()
    /// How many let time pass at once in the home that runs: until they are through, it listens to nothing.
    var passes = 0
    let passIsOver = AsyncSignal()
    private var lines: [DeviceID: ServerLine] = [:]
    private let jobs: AsyncStream<Job>
    private let jobQueue: AsyncStream<Job>.Continuation

    /// A request of the engine with its places in the servers' lines.
    struct Job: Sendable {
        let request: RunRequest
        let run: ActionRun
        let tickets: [Int]
    }

    /// - Parameters:
    ///   - now: What the clock shows.
    ///   - calendar: The home's time zone.
    ///   - memory: What an earlier runner of this home had to remember.
    package init(
        _ home: Home,
        on world: any HomeWorld,
        clock: any HomeClock,
        startedAt now: WallInstant,
        calendar: (any CivilCalendar)? = nil,
        memory: EngineMemory = EngineMemory(),
        observer: (any HomeRunObserver)? = nil
    ) {
        self.world = world
        self.clock = clock
        self.observer = observer
        engine = HomeEngine(
            home: home,
            calendar: calendar ?? FoundationCalendar(of: home),
            startedAt: now,
            memory: memory
        )
        (jobs, jobQueue) = AsyncStream.makeStream()
        (selectors, accessories) = Self.places(in: home)
    }

    /// The home as it is run.
    package var home: Home { engine.home }

    /// What the next runner of this home has to remember.
    package var memory: EngineMemory { engine.memory }

    /// Runs the home until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watch() }
            group.addTask { await self.listen() }
            for await job in jobs {
                group.addTask { await self.carryOut(job) }
            }
            group.cancelAll()
        }
    }

    /// Goes on with a home that was edited.
    package func replace(with home: Home) async {
        let now = await clock.now
        let before = watched
        (selectors, accessories) = Self.places(in: home)
        let actions = engine.replace(home: home, calendar: FoundationCalendar(of: home), at: now)
        enqueue(take(actions))
        if watched != before {
            isEdited.signal()
        }
        world.mailbox.wake()
    }

    /// Somebody came or went; `nil` when nobody knows.
    package func setPresence(_ isHome: Bool?, of user: ObjectID<HomeUser>) async {
        let now = await clock.now
        enqueue(take(engine.observed(.presence(user, isHome: isHome), at: now)))
        world.mailbox.wake()
    }

    // MARK: - What happens

    /// Which characteristics are watched: all that tell of changes, and of the others those that can be read at the
    /// beginning.
    var watched: Set<CharacteristicReference> {
        Set(selectors.keys)
    }

    private func watch() async {
        while !Task.isCancelled {
            let references = watched
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [world] in await world.watch(references) }
                group.addTask { [isEdited] in await isEdited.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func listen() async {
        while !Task.isCancelled {
            let deadline = engine.nextDeadline
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [world] in await world.mailbox.wait() }
                group.addTask { [clock] in await clock.wait(until: deadline) }
                await group.next()
                group.cancelAll()
            }
            let now = await clock.now
            guard passes == 0 else {
                await passIsOver.wait()
                continue
            }
            enqueue(take(world.mailbox.take() ?? [], at: now))
            enqueue(take(engine.advance(to: now)))
        }
    }

    /// Tells the engine of changes; returns what it wants done.
    func take(_ changes: [WorldChange], at now: WallInstant) -> [RunRequest] {
        changes.flatMap { take($0, at: now) }
    }

    private func take(_ change: WorldChange, at now: WallInstant) -> [RunRequest] {
        switch change {
        case .value(let reference, let value):
            guard let selector = selectors[reference] else { return [] }
            observer?.observe(.value(selector, value), in: home, at: now)
            return take(engine.observed(.value(selector, value), at: now))
        case .written(let reference, let value):
            guard let selector = selectors[reference] else { return [] }
            observer?.observe(.written(selector, value), in: home, at: now)
            return take(engine.observed(.value(selector, value), at: now))
        case .reachable(let server):
            observer?.observe(.reachable(server), in: home, at: now)
            return []
        case .unreachable(let server, let reason):
            observer?.observe(.unreachable(server, reason), in: home, at: now)
            return (accessories[server] ?? [])
                .flatMap { take(engine.observed(.unreachable($0), at: now)) }
        case .structureChanged(let server):
            observer?.observe(.structureChanged(server), in: home, at: now)
            return []
        }
    }

    /// Tells what the engine says; returns what it wants done.
    func take(_ actions: [EngineAction]) -> [RunRequest] {
        actions.compactMap { action in
            switch action {
            case .run(let request): return request
            case .journal(let entry):
                observer?.observe(.journal(entry), in: home, at: entry.instant)
                return nil
            }
        }
    }

    private static func places(
        in home: Home
    ) -> ([CharacteristicReference: CharacteristicSelector], [DeviceID: [ObjectID<HomeAccessory>]]) {
        var selectors: [CharacteristicReference: CharacteristicSelector] = [:]
        var accessories: [DeviceID: [ObjectID<HomeAccessory>]] = [:]
        let watched = home.selectorsOfAutomations
        for accessory in home.accessories {
            guard let reference = accessory.reference else { continue }
            accessories[reference.server, default: []].append(accessory.id)
            for service in accessory.services {
                for characteristic in service.characteristics
                where !characteristic.permissions.isDisjoint(with: [.read, .events]) && characteristic.type != .name {
                    let selector = CharacteristicSelector(service: service.id, type: characteristic.type)
                    guard let iid = characteristic.iid, service.isShown || watched.contains(selector) else { continue }
                    let place = CharacteristicReference(accessory: reference, iid: iid)
                    selectors[place] = selector
                }
            }
        }
        return (selectors, accessories)
    }

    // MARK: - What is done

    private func enqueue(_ requests: [RunRequest]) {
        for job in requests.map(job) {
            jobQueue.yield(job)
        }
    }

    /// Plans a request, and takes its places in the lines.
    func job(for request: RunRequest) -> Job {
        let run = ActionRun(request.actions, in: home)
        let tickets = run.plan.requests.map { lines[$0.server, default: ServerLine()].takeTicket() }
        return Job(request: request, run: run, tickets: tickets)
    }

    private func carryOut(_ job: Job) async {
        let results = await job.run.carryOut { request, index in await self.write(request, job.tickets[index]) }
        observer?.observe(.ran(job.request, results), in: home, at: await clock.now)
    }

    /// Writes one request when it is its turn.
    func write(_ request: ServerWrites, _ ticket: Int) async -> [ActionResult.Outcome] {
        if lines[request.server]?.isTurn(of: ticket) == false {
            await withCheckedContinuation { lines[request.server]?.wait(ticket, $0) }
        }
        let outcomes = await world.write(request)
        lines[request.server]?.next()?.resume()
        return outcomes
    }
}

/// Who writes to a server, one after the other, in the order in which it was decided.
struct ServerLine {
    private var nextTicket = 0
    private var served = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    /// Takes the place at the end.
    mutating func takeTicket() -> Int {
        defer { nextTicket += 1 }
        return nextTicket
    }

    /// Whether it is a ticket's turn.
    func isTurn(of ticket: Int) -> Bool {
        ticket == served
    }

    /// Waits for a ticket's turn.
    mutating func wait(_ ticket: Int, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[ticket] = continuation
    }

    /// Ends the turn of the one whose it is; returns who is next, when they wait already.
    mutating func next() -> CheckedContinuation<Void, Never>? {
        served += 1
        return waiting.removeValue(forKey: served)
    }
}
