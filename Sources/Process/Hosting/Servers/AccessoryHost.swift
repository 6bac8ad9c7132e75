package import AccessoryModel
internal import AsyncPrimitives
internal import Discovery
package import HAPServer
internal import HomeRuntime
package import Simulation
internal import Synchronization

/// The state of one server, and of the drivers of its accessories.
package typealias HostedServerStore = AccessoryServerStore & DriverDataStore

/// The servers of a process: the only list of them.
///
/// They start and stop together. Others are added and removed while they run.
///
/// Changes of the list, and actions of users that change time, take turns. Everything else is done at once: a button can
/// be pressed while a day passes. A scenario changes the time on its own.
package final class AccessoryHost: Sendable {
    package let settings: HostSettings
    let store: @Sendable (_ key: String) -> any HostedServerStore
    let observers: [any HostObserver]
    /// The event loop of all servers; `nil` if each takes the next one of the process.
    let loop: ServerLoop?
    let discovery: DiscoveryQueue
    let announcer: DriverAnnouncer
    let turns = TurnLock()
    private let state = Mutex(State())

    private struct State {
        var servers: [HostedServer] = []
        var nextID = 0
        /// Whether no more servers are added.
        var isStopped = false
        /// The clock of the last server that was removed.
        var lastClock: BehaviorClock?
        /// The names of the servers, once they were asked for.
        var names: SimulationNames?
        var home: SimulatedHome?

        /// Returns the position of a server.
        func index(of id: Int) -> Int? {
            // Until a server is removed, each one is at its number.
            if servers.indices.contains(id), servers[id].id == id { return id }
            return servers.firstIndex { $0.id == id }
        }
    }

    /// Creates a host without servers.
    ///
    /// - Parameters:
    ///   - settings: How servers are started.
    ///   - observers: What learns of the servers. Of those that receive messages, only the first one does.
    ///   - loop: The event loop of all servers, or `nil` if each takes the next one of the process.
    ///   - store: Returns the store of a server by its key.
    package init(
        _ settings: HostSettings = HostSettings(),
        observers: [any HostObserver] = [],
        on loop: ServerLoop? = nil,
        store: @escaping @Sendable (_ key: String) -> any HostedServerStore
    ) {
        self.settings = settings
        self.observers = observers
        discovery = DiscoveryQueue()
        announcer = DriverAnnouncer(on: discovery)
        self.loop = loop
        self.store = store
    }

    // MARK: The list

    /// The servers in the order in which the user named them, and then in the order in which they were added.
    package var servers: [HostedServer] { state.withLock { $0.servers } }

    /// Returns a server by its number.
    package subscript(id: Int) -> HostedServer? {
        state.withLock { state in state.index(of: id).map { state.servers[$0] } }
    }

    /// The names of everything that the servers have.
    package var names: SimulationNames {
        state.withLock { state in
            if let names = state.names { return names }
            var names = SimulationNames(
                state.servers.map { server in
                    (
                        server.id, server.name, server.content.accessories,
                        { accessory, service, characteristic in
                            server.ids[
                                CharacteristicKey(
                                    accessory: accessory.key,
                                    service: service.key,
                                    type: characteristic.type
                                )
                            ]
                        }
                    )
                }
            )
            for server in state.servers { names.add(server.content.drivers, ofServer: server.id) }
            state.names = names
            return names
        }
    }

    /// The home that runs on the servers.
    package var home: SimulatedHome? { state.withLock { $0.home } }

    /// Sets the home that runs on the servers.
    package func setHome(_ home: SimulatedHome?) {
        state.withLock { $0.home = home }
    }

    /// Reserves numbers for servers.
    func reserveIDs(_ count: Int) -> Range<Int> {
        state.withLock { state in
            defer { state.nextID += count }
            return state.nextID..<state.nextID + count
        }
    }

    /// Adds servers that listen to the list, in order of their numbers.
    ///
    /// - Returns: Whether they were added; `false` if the host has stopped, so that the caller stops them.
    package func insert(_ servers: [HostedServer]) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.servers += servers
            state.servers.sort { $0.id < $1.id }
            state.nextID = max(state.nextID, (state.servers.last?.id ?? -1) + 1)
            state.names = nil
            return true
        }
    }

    private func update(_ server: HostedServer) {
        state.withLock { state in
            guard let index = state.index(of: server.id) else { return }
            state.servers[index] = server
            state.names = nil
        }
    }

    // MARK: Changes

    /// Starts a server while the others run, with the time of the others.
    ///
    /// - Throws: ``HostError`` if another server has its key, if there are too many servers, if the host stops, or if it
    ///   cannot start.
    package func add(_ content: HostedContent) async throws(HostError) -> HostedServer {
        // The clocks of the others do not change during the start.
        await turns.acquire()
        defer { turns.release() }
        let (others, lastClock) = state.withLock { ($0.servers, $0.lastClock) }
        guard !others.contains(where: { $0.key == content.key }) else {
            throw .fileContent(
                "Another server has the id \"\(content.key)\" already; give one of them another \"id\".".printable
            )
        }
        let used = Set(others.map(\.offset))
        let offset = (0...used.count).first { !used.contains($0) } ?? used.count
        try settings.checkServerCount(max(used.count, offset) + 1)
        let first = others.first?.server
        let clock = if let first { await first.behaviorClockSnapshot.clock } else { lastClock }
        let id = reserveIDs(1).lowerBound
        let added = try await start(content, id: id, offset: offset, clock: clock, isAdded: true).get()
        if let first {
            // A scenario can change the time meanwhile.
            let time = await first.behaviorTime
            await added.server.changeBehaviorClock { clock, now in clock.jump(to: time, at: now) }
        }
        guard insert([added]) else {
            await added.stop()
            await added.notify(.removed)
            throw .failed("\(content.name.printable) is not served, because the program ends.")
        }
        await home?.add(added)
        for observer in observers { await observer.observe(.added(added)) }
        return added
    }

    /// Serves something else with the same server, and returns the configuration number.
    ///
    /// Values continue unchanged, except for those that the new content declares differently.
    ///
    /// - Throws: ``ServerError`` if the new content cannot be served, or the server is gone; nothing changes then.
    package func replace(_ id: Int, with content: HostedContent) async throws(ServerError) -> UInt16 {
        await turns.acquire()
        defer { turns.release() }
        guard var server = self[id] else {
            throw ServerError(.other, reason: "The server has ended.", remedy: "Add it again.")
        }
        await server.notify(.replacing)
        let outcome = await Result { () async throws(ServerError) in try await server.replace(with: content) }
        update(server)
        await server.notify(.replaced(server))
        return try outcome.get()
    }

    /// Stops a server while the others run; its state stays.
    package func remove(_ id: Int) async {
        await turns.acquire()
        defer { turns.release() }
        guard let server = self[id] else { return }
        let clock = await server.server.behaviorClockSnapshot.clock
        let isRemoved = state.withLock { state in
            // A host that stops does so with all servers that it had at that time.
            guard !state.isStopped, let index = state.index(of: id) else { return false }
            state.servers.remove(at: index)
            state.lastClock = clock
            state.names = nil
            return true
        }
        guard isRemoved else { return }
        await home?.remove(server)
        await server.stop()
        await server.notify(.removed)
        for observer in observers { await observer.observe(.removed(server)) }
    }

    /// Waits until the drivers that listen have begun to, or have failed; at most 10 s.
    package func waitForListeners() async {
        await withDiscardingTaskGroup { group in
            for server in servers {
                for driver in server.drivers.all.values { group.addTask { await driver.waitForListener() } }
            }
        }
    }

    // MARK: End

    /// The number of servers that stop at the same time.
    private static let stopConcurrency = 32

    /// Accepts no more connections and requests of controllers, and no more servers; pending requests are answered.
    package func stopAccepting() async {
        await forEachServer { await $0.server.stopAccepting() }
    }

    /// Stops the servers when the pending requests are answered, and saves their values.
    ///
    /// The host then releases the home, which refers to it.
    package func stop() async {
        defer { setHome(nil) }
        await forEachServer { await $0.server.stop() }
        // A driver that does not end is waited for, so all of them are canceled first.
        await forEachServer { $0.drivers.cancel() }
        await forEachServer { server in
            await server.drivers.stop()
            await server.notify(.stopped)
        }
    }

    /// Performs one step of the stop on every server; no more servers are added.
    private func forEachServer(_ perform: @escaping @Sendable (HostedServer) async -> Void) async {
        let servers = state.withLock { state in
            state.isStopped = true
            return state.servers
        }
        await Self.forEach(of: servers, perform)
    }

    /// Performs one step of the stop on some servers.
    static func forEach(
        of servers: [HostedServer],
        _ perform: @escaping @Sendable (HostedServer) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            let stride = stopConcurrency
            for first in 0..<min(stride, servers.count) {
                group.addTask {
                    for index in Swift.stride(from: first, to: servers.count, by: stride) {
                        await perform(servers[index])
                    }
                }
            }
        }
    }

    /// Passes a note to the observers.
    func report(_ note: HostNote) {
        for observer in observers { observer.report(note) }
    }
}
