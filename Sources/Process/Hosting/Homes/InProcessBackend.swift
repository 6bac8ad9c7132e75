package import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import HAPServer
package import HomeModel
package import HomeRuntime
internal import Synchronization

/// A backend with the accessories that the servers of a host serve, without a network in between.
///
/// The home's time is the time of the behaviors. It starts at a given instant and runs at the speed of their clock. While
/// there is no server, it stands still.
package struct InProcessBackend: HomeBackend {
    package let mailbox = BackendMailbox()
    private let host: AccessoryHost
    private let shared: SharedState

    /// Creates a backend.
    ///
    /// - Parameter start: The current time of the home.
    package init(_ host: AccessoryHost, startingAt start: WallInstant) async {
        self.host = host
        shared = SharedState(start, origin: await host.servers.first?.server.behaviorTime)
    }

    private func server(_ id: DeviceID) -> HostedServer? {
        host.servers.first { $0.information.deviceID == id }
    }

    /// Observes a server that was added while the home runs.
    ///
    /// If the home observes characteristics of a server with the same device ID, it receives their values.
    func add(_ server: HostedServer) async {
        _ = shared.wallInstant(await server.server.behaviorTime)
        let id = server.information.deviceID
        if let ids = shared.state.withLock({ $0.wanted?[id] }) { await forward(ids, from: server) }
    }

    /// Ends the observation of a server that was removed while the home runs.
    func remove(_ server: HostedServer) async {
        let time = await server.server.behaviorTime
        if host.servers.isEmpty { shared.pause(at: time) }
        await shared.turns.acquire()
        defer { shared.turns.release() }
        server.events.setHandler(for: mailbox, nil)
        let id = server.information.deviceID
        // A server that the home does not use is not missed.
        guard shared.state.withLock({ $0.wanted?[id] != nil }) else { return }
        mailbox.send(.unreachable(id, "It is no longer served."))
    }

    package func servers() async -> [BackendServer] {
        var servers: [BackendServer] = []
        for server in host.servers {
            let accessories = await server.server.attributes.remoteAccessories
            servers.append(
                BackendServer(id: server.information.deviceID, alias: server.name, accessories: accessories)
            )
        }
        return servers
    }

    package func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome] {
        guard let server = server(request.server) else {
            let outcome = ActionResult.Outcome.unreachable("\(request.server) is not served here.")
            return Array(repeating: outcome, count: request.writes.count)
        }
        return await server.server.write(request.writes).map { ActionResult.Outcome($0) }
    }

    package func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue] {
        var values: [CharacteristicReference: CharacteristicValue] = [:]
        for (id, references) in Dictionary(grouping: references, by: \.accessory.server) {
            // The values are found in a copy of the database, so that the server's event loop is hardly occupied.
            guard let database = await server(id)?.server.attributes else { continue }
            for reference in references {
                values[reference] = database.index(of: reference.id).flatMap { database.value(at: $0) }
            }
        }
        return values
    }

    package func observe(_ references: Set<CharacteristicReference>) async {
        await startObserving(references)
        defer { stopObserving() }
        await AsyncSignal.waitForCancellation()
    }

    /// Sends the current values, and all changes from then on.
    package func startObserving(_ references: Set<CharacteristicReference>) async {
        let wanted = Dictionary(grouping: references, by: \.accessory.server).mapValues { $0.map(\.id).sorted() }
        shared.state.withLock { $0.wanted = wanted }
        for server in host.servers {
            guard let ids = wanted[server.information.deviceID] else { continue }
            await forward(ids, from: server)
        }
    }

    /// Sends the current values of a server, and all changes from then on.
    ///
    /// Servers take turns, so that the values of two calls for one server are not mixed.
    private func forward(_ ids: [CharacteristicID], from server: HostedServer) async {
        await shared.turns.acquire()
        defer { shared.turns.release() }
        await server.forward(ids, to: mailbox)
    }

    private func stopObserving() {
        shared.state.withLock { $0.wanted = nil }
        for server in host.servers {
            server.events.setHandler(for: mailbox, nil)
        }
    }
}

/// What the copies of a backend share.
private final class SharedState: Sendable {
    let state: Mutex<State>
    /// The turns of calls that send the first values of a server, or its removal.
    let turns = TurnLock()

    struct State {
        /// The time of the behaviors at `start`, or `nil` while there is no server.
        var origin: MonotonicInstant?
        var start: WallInstant
        /// Whether there was never a server.
        var isWaiting: Bool
        /// The characteristics that the home observes, or `nil` while it observes none.
        var wanted: [DeviceID: [CharacteristicID]]?

        /// Returns the time of the behaviors at the start of the home, which is now if there was no server before.
        mutating func origin(at time: MonotonicInstant) -> MonotonicInstant {
            if let origin { return origin }
            // A home that never had a server, and so no clock, begins at the time of the machine.
            if isWaiting { start = max(start, MachineClock().now) }
            isWaiting = false
            origin = time
            return time
        }
    }

    init(_ start: WallInstant, origin: MonotonicInstant?) {
        state = Mutex(State(origin: origin, start: start, isWaiting: origin == nil))
    }

    /// Returns the time of the home's clock at a time of the behaviors.
    func wallInstant(_ time: MonotonicInstant) -> WallInstant {
        state.withLock { state in
            let origin = state.origin(at: time)
            return state.start.advanced(by: origin.duration(to: time))
        }
    }

    /// Lets the time stand still, because there is no server.
    func pause(at time: MonotonicInstant) {
        state.withLock { state in
            guard let origin = state.origin else { return }
            state.start = state.start.advanced(by: origin.duration(to: time))
            state.origin = nil
        }
    }
}

extension HostedServer {
    /// Sends the current values of a server, and all changes from then on.
    ///
    /// The server's event loop only takes a copy of the database. A change after that waits until the older values are
    /// sent.
    fileprivate func forward(_ ids: [CharacteristicID], to mailbox: BackendMailbox) async {
        let id = information.deviceID
        let wanted = Set(ids)
        let gate = InitialValueGate(to: mailbox)
        let handler: @Sendable (ServerEvent) -> Void = { event in
            switch event {
            case .valueChanged(let changed, _, let value, by: _) where wanted.contains(changed):
                gate.send(.value(.init(changed, of: id), value))
            case .configurationChanged: gate.send(.structureChanged(id))
            default: break
            }
        }
        let database = await server.attributes(afterSetting: handler, of: events, for: mailbox)
        mailbox.send(.reachable(id))
        for characteristic in ids {
            // A button has no current value: a stored one would count as a press.
            if let index = database.index(of: characteristic), !database.characteristics[index].isButton,
                let value = database.value(at: index)
            {
                mailbox.send(.value(.init(characteristic, of: id), value))
            }
        }
        gate.open()
    }
}

extension AccessoryServer {
    /// Sets a handler of events, and returns the database without the changes that the handler receives.
    ///
    /// This is a single call on the server's actor, so that no change is in both, or in none.
    fileprivate func attributes(
        afterSetting handler: @escaping @Sendable (ServerEvent) -> Void,
        of events: ServerEventForwarder,
        for mailbox: BackendMailbox
    ) -> AttributeDatabase {
        events.setHandler(for: mailbox, handler)
        return attributes
    }
}

/// Holds back the changes of a server until its initial values have been sent.
private final class InitialValueGate: Sendable {
    private let mailbox: BackendMailbox
    /// The waiting changes, or `nil` when they go to the mailbox.
    private let waiting = Mutex<[BackendChange]?>([])

    init(to mailbox: BackendMailbox) {
        self.mailbox = mailbox
    }

    func send(_ change: BackendChange) {
        waiting.withLock { waiting in
            if waiting == nil { mailbox.send(change) } else { waiting?.append(change) }
        }
    }

    /// Sends the waiting changes, and from now on all of them at once.
    func open() {
        waiting.withLock { waiting in
            for change in waiting ?? [] { mailbox.send(change) }
            waiting = nil
        }
    }
}

extension InProcessBackend: SteppedHomeBackend {
    package var now: WallInstant {
        get async { await clockReading?.now ?? shared.state.withLock { $0.start } }
    }

    /// The clock and its current time, or `nil` without a server.
    var clockReading: (clock: BehaviorClock, now: WallInstant)? {
        get async {
            guard let reading = await host.servers.first?.server.behaviorClockSnapshot else { return nil }
            return (reading.clock, shared.wallInstant(reading.time))
        }
    }

    package var nextChange: WallInstant? {
        get async { await host.nextDeadline.map(shared.wallInstant) }
    }

    /// Advances the clock of each server in turn.
    ///
    /// The clocks must be paused, so that each run has the same result.
    package func advance(to instant: WallInstant) async {
        guard let target = behaviorTime(of: instant) else { return }
        await host.jump(to: target)
    }

    /// Returns the machine's time until the home's clock shows an instant, or `nil` while the clock is paused.
    func machineDelay(until instant: WallInstant) async -> Duration? {
        guard let time = behaviorTime(of: instant) else { return nil }
        return await host.delay(until: time)
    }

    /// Returns the time of the home's clock at a time of the behaviors.
    func wallInstant(_ time: MonotonicInstant) -> WallInstant { shared.wallInstant(time) }

    /// Returns the time of the behaviors at which the home's clock shows an instant, or `nil` without a server.
    func behaviorTime(of instant: WallInstant) -> MonotonicInstant? {
        shared.state.withLock { state in state.origin?.advanced(by: state.start.duration(to: instant)) }
    }
}
