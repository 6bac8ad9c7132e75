package import AccessoryModel
internal import AsyncPrimitives
internal import HAPController
package import HAPCore
package import HAPServer
package import HomeModel
internal import Synchronization

/// A server of this process on which homes and scenarios run.
package struct ObservedServer: Sendable {
    package let server: AccessoryServer
    /// The key of the accessory that the server serves.
    package let name: String
    /// Forwards the events of the server.
    package let events: ServerEventForwarder

    /// Creates an observed server from one that was started with a forwarder as its observer.
    package init(_ server: AccessoryServer, name: String, events: ServerEventForwarder) {
        self.server = server
        self.name = name
        self.events = events
    }
}

/// A backend with the accessories that servers of this process serve, without a network in between.
///
/// The home's time is the time of the behaviors. It starts at a given instant and runs at the speed of their clock.
package struct InProcessBackend: HomeBackend {
    package let mailbox = BackendMailbox()
    private let members: ObservedServers

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - members: The servers.
    ///   - start: The current time of the home.
    package init(_ members: [ObservedServer], startingAt start: WallInstant) async {
        var known: [(id: DeviceID, member: ObservedServer)] = []
        for member in members {
            await known.append((member.server.information.deviceID, member))
        }
        let origin = await members.first?.server.behaviorTime ?? .zero
        self.members = ObservedServers(known, origin: origin, start: start)
    }

    var observedServers: [(id: DeviceID, member: ObservedServer)] { members.state.withLock { $0.servers } }

    private func observedServer(_ id: DeviceID) -> ObservedServer? {
        members.state.withLock { $0.servers.first { $0.id == id }?.member }
    }

    /// Adds a server while the home runs.
    ///
    /// If the home observes characteristics of a server with the same device ID, it receives their values.
    package func add(_ member: ObservedServer) async {
        let id = await member.server.information.deviceID
        let time = await member.server.behaviorTime
        let now = MachineClock().now
        let ids = members.state.withLock { state in
            if state.servers.isEmpty {
                state.origin = time
                // A home that never had a server, and so no clock, begins at the time of the machine.
                if state.isWaiting { state.start = max(state.start, now) }
                state.isWaiting = false
            }
            state.servers.append((id, member))
            return state.wanted?[id]
        }
        if let ids { await forward(ids, of: id, from: member) }
    }

    /// Removes a server while the home runs.
    package func remove(_ server: AccessoryServer) async {
        let time = await server.behaviorTime
        let (removed, isObserved) = members.state.withLock { state in
            let removed = state.servers.first { $0.member.server === server }
            state.servers.removeAll { $0.member.server === server }
            if state.servers.isEmpty {
                // Until there is another server, the time of the home stands still.
                state.start = state.start.advanced(by: state.origin.duration(to: time))
                state.origin = time
            }
            return (removed, removed.map { state.wanted?[$0.id] != nil } ?? false)
        }
        guard let removed else { return }
        await members.turns.acquire()
        defer { members.turns.release() }
        removed.member.events.setHandler(for: mailbox, nil)
        // A server that the home does not use is not missed.
        guard isObserved else { return }
        mailbox.send(.unreachable(removed.id, "It is no longer served."))
    }

    package func servers() async -> [BackendServer] {
        var servers: [BackendServer] = []
        for (id, member) in observedServers {
            let accessories = await member.server.attributes.remoteAccessories
            servers.append(BackendServer(id: id, alias: member.name, accessories: accessories))
        }
        return servers
    }

    package func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome] {
        guard let member = observedServer(request.server) else {
            let outcome = ActionResult.Outcome.unreachable("\(request.server) is not served here.")
            return Array(repeating: outcome, count: request.writes.count)
        }
        return await member.server.write(request.writes).map { ActionResult.Outcome($0) }
    }

    package func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue] {
        var values: [CharacteristicReference: CharacteristicValue] = [:]
        for (id, references) in Dictionary(grouping: references, by: \.accessory.server) {
            // The values are found in a copy of the database, so that the server's event loop is hardly occupied.
            guard let database = await observedServer(id)?.server.attributes else { continue }
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
    func startObserving(_ references: Set<CharacteristicReference>) async {
        let wanted = Dictionary(grouping: references, by: \.accessory.server).mapValues { $0.map(\.id).sorted() }
        let servers = members.state.withLock { state in
            state.wanted = wanted
            return state.servers
        }
        for (id, member) in servers {
            guard let ids = wanted[id] else { continue }
            await forward(ids, of: id, from: member)
        }
    }

    /// Sends the current values of a server, and all changes from then on.
    ///
    /// Servers take turns, so that the values of two calls for one server are not mixed.
    private func forward(_ ids: [CharacteristicID], of id: DeviceID, from member: ObservedServer) async {
        await members.turns.acquire()
        defer { members.turns.release() }
        await member.forward(ids, of: id, to: mailbox)
    }

    /// Stops sending changes.
    func stopObserving() {
        let servers = members.state.withLock { state in
            state.wanted = nil
            return state.servers
        }
        for (_, member) in servers {
            member.events.setHandler(for: mailbox, nil)
        }
    }
}

/// The servers of a backend, which are added and removed while the home runs.
private final class ObservedServers: Sendable {
    let state: Mutex<State>
    /// The turns of calls that send the first values of a server, or its removal.
    let turns = TurnLock()

    struct State {
        var servers: [(id: DeviceID, member: ObservedServer)]
        /// The time of the behaviors at `start`.
        var origin: MonotonicInstant
        var start: WallInstant
        /// Whether there was never a server.
        var isWaiting: Bool
        /// The characteristics that the home observes, or `nil` while it observes none.
        var wanted: [DeviceID: [CharacteristicID]]?
    }

    init(_ servers: [(id: DeviceID, member: ObservedServer)], origin: MonotonicInstant, start: WallInstant) {
        state = Mutex(State(servers: servers, origin: origin, start: start, isWaiting: servers.isEmpty))
    }
}

extension ObservedServer {
    /// Sends the current values of a server, and all changes from then on.
    ///
    /// The server's event loop only takes a copy of the database. A change after that waits until the older values are
    /// sent.
    fileprivate func forward(_ ids: [CharacteristicID], of id: DeviceID, to mailbox: BackendMailbox) async {
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

/// An observer that forwards the events of a server of this process to readers that are added while the server runs.
package final class ServerEventForwarder: ServerObserver {
    package let wantsItems: Bool
    private let handlers = Mutex<[ObjectIdentifier: @Sendable (ServerEvent) -> Void]>([:])

    /// Creates a forwarder without readers, before the server starts.
    ///
    /// - Parameter wantsItems: Whether readers also want the individual characteristics of requests and events.
    package init(wantsItems: Bool = false) {
        self.wantsItems = wantsItems
    }

    package func observe(_ event: ServerEvent) {
        handlers.withLock { sinks in
            for sink in sinks.values { sink(event) }
        }
    }

    /// Sets the handler that receives events for a reader from now on.
    ///
    /// `nil` ends the forwarding.
    ///
    /// - Parameters:
    ///   - reader: The reader, which is identified by its object identity.
    ///   - sink: The handler, which is called on the server's event loop and must return quickly.
    package func setHandler(for reader: some AnyObject, _ sink: (@Sendable (ServerEvent) -> Void)?) {
        let id = ObjectIdentifier(reader)
        handlers.withLock { $0[id] = sink }
    }
}

extension InProcessBackend: SteppedHomeBackend {
    package var now: WallInstant {
        get async {
            guard let server = observedServers.first?.member.server else { return members.state.withLock { $0.start } }
            return wallInstant(await server.behaviorTime)
        }
    }

    /// The clock and its current time, or `nil` without a server.
    var clockReading: (clock: BehaviorClock, now: WallInstant)? {
        get async {
            guard let reading = await observedServers.first?.member.server.behaviorClockSnapshot else { return nil }
            return (reading.clock, wallInstant(reading.time))
        }
    }

    package var nextChange: WallInstant? {
        get async {
            var next: WallInstant?
            for (_, member) in observedServers {
                guard let deadline = await member.server.nextBehaviorDeadline else { continue }
                next = min(next ?? .distantFuture, wallInstant(deadline))
            }
            return next
        }
    }

    /// Advances the clock of each server in turn.
    ///
    /// The clocks must be paused, so that each run has the same result.
    package func advance(to instant: WallInstant) async {
        let target = behaviorTime(of: instant)
        for (_, member) in observedServers {
            await member.server.changeBehaviorClock { clock, now in clock.jump(to: target, at: now) }
        }
    }

    /// Returns the machine's time until the home's clock shows an instant, or `nil` while the clock is paused.
    func machineDelay(until instant: WallInstant) async -> Duration? {
        await observedServers.first?.member.server.behaviorDelay(until: behaviorTime(of: instant))
    }

    /// Returns the time of the home's clock at a time of the behaviors.
    package func wallInstant(_ time: MonotonicInstant) -> WallInstant {
        members.state.withLock { $0.start.advanced(by: $0.origin.duration(to: time)) }
    }

    /// Returns the time of the behaviors at which the home's clock shows an instant.
    package func behaviorTime(of instant: WallInstant) -> MonotonicInstant {
        members.state.withLock { $0.origin.advanced(by: $0.start.duration(to: instant)) }
    }
}

extension WallInstant {
    /// The latest possible instant.
    static var distantFuture: WallInstant { WallInstant(nanoseconds: .max) }
}
