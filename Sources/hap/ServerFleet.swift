import AccessoryFiles
import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import HomeRuntime
import Hosting
import Logging
import Simulation
import Storage
import Synchronization
import WebConsole

/// The servers of this process.
///
/// They start and stop together, except for those of a folder's files, which are added and removed meanwhile.
final class ServerFleet: Sendable {
    /// The maximum number of advertised servers.
    ///
    /// Each one holds a connection to the message bus, which allows 256 for one user.
    static let maximumAdvertised = 200
    /// The number of servers that start at the same time.
    private static let startConcurrency = 8
    /// The number of servers that stop at the same time.
    private static let stopConcurrency = 32

    private let starter: ServerStarter
    private let state: Mutex<State>

    private struct State {
        var servers: [RunningServer]
        var isStopped = false
    }

    private init(_ servers: [RunningServer], _ starter: ServerStarter) {
        self.starter = starter
        state = Mutex(State(servers: servers))
    }

    /// The servers in the order in which the user named them, and then in the order in which they were added.
    var servers: [RunningServer] { state.withLock { $0.servers } }

    /// Starts a server for each accessory, and returns when all of them listen.
    ///
    /// When the start is canceled, it returns the servers that listen by then.
    ///
    /// - Throws: ``CommandFailure`` of the first server that could not start, after the others are stopped.
    static func start(
        _ accessories: [ServedAccessory],
        with starter: ServerStarter
    ) async throws(CommandFailure) -> ServerFleet {
        var started: [RunningServer] = []
        var failure: CommandFailure?
        let clock = ContinuousClock()
        var progress = StartProgress(of: accessories.count, at: clock.now)
        await withTaskGroup(of: Result<RunningServer, CommandFailure>.self) { group in
            var next = 0
            func startNext() {
                guard next < accessories.count, failure == nil, !Task.isCancelled else { return }
                let (index, served) = (next, accessories[next])
                next += 1
                group.addTask { await starter.start(served, ServerPlace(index: index, offset: index)) }
            }
            for _ in 0..<startConcurrency {
                startNext()
            }
            for await result in group {
                switch result {
                case .success(let server): started.append(server)
                case .failure(let error): failure = failure ?? error
                }
                if let line = progress.progressText(started: started.count, at: clock.now) {
                    starter.printer.printLine(line)
                }
                startNext()
            }
        }
        let fleet = ServerFleet(started.sorted { $0.place.index < $1.place.index }, starter)
        if let failure {
            await fleet.stop()
            throw failure
        }
        return fleet
    }

    /// Starts a server while the others run, and shows it in the console and in the simulation.
    ///
    /// Only one task at a time may add servers.
    ///
    /// - Throws: ``CommandFailure`` if there are too many servers, or if it cannot start.
    func add(
        _ served: ServedAccessory,
        to console: Console,
        _ simulation: CurrentSimulationServers
    ) async throws(CommandFailure) -> RunningServer {
        let used = Set(servers.map(\.place.offset))
        let offset = (0...used.count).first { !used.contains($0) } ?? used.count
        try starter.settings.checkServerCount(max(used.count, offset) + 1)
        let index = console.reserveServer()
        let place = ServerPlace(index: index, offset: offset)
        var added: RunningServer?
        do throws(CommandFailure) {
            try await simulation.add { (clock) async throws(CommandFailure) -> SimulationServer in
                let server = try await self.starter.start(served, place, clock: clock, isAdded: true).get()
                added = server
                return server.simulationServer
            }
        } catch {
            console.forgetServer(index, named: served.name)
            throw error
        }
        let isStopped = state.withLock { state in
            if !state.isStopped, let added { state.servers.append(added) }
            return state.isStopped
        }
        guard let added, !isStopped else {
            await added?.server.stop()
            throw .failed("\(served.name.printable) is not served, because the program ends.")
        }
        console.add(added.consoleServer)
        return added
    }

    /// Stops a server while the others run, and removes it from the console and the simulation; its state stays.
    func remove(_ server: RunningServer, from console: Console, _ simulation: CurrentSimulationServers) async {
        await simulation.remove(server.server)
        await server.server.stop()
        server.log.flush()
        server.traffic.forgetAccessories(of: server.accessory.key)
        state.withLock { $0.servers.removeAll { $0.server === server.server } }
        console.remove(server.place.index)
    }

    /// Returns the servers for scenarios and the prompt, with the home that runs on them.
    func simulation(_ home: SimulatedHome? = nil) async -> SimulationServers {
        await SimulationServers(servers.map(\.simulationServer), home: home)
    }

    /// Accepts no more connections and requests of controllers, and no more servers; pending requests are answered.
    func stopAccepting() async {
        await forEachServer { await $0.stopAccepting() }
    }

    /// Stops the servers when the pending requests are answered, and saves their values.
    func stop() async {
        await forEachServer { await $0.stop() }
        for server in servers {
            server.log.flush()
        }
    }

    /// Performs one step of the stop on every server; no more servers are added.
    private func forEachServer(_ perform: @escaping @Sendable (AccessoryServer) async -> Void) async {
        let servers = state.withLock { state in
            state.isStopped = true
            return state.servers
        }
        await withDiscardingTaskGroup { group in
            let stride = Self.stopConcurrency
            for first in 0..<min(stride, servers.count) {
                group.addTask {
                    for index in Swift.stride(from: first, to: servers.count, by: stride) {
                        await perform(servers[index].server)
                    }
                }
            }
        }
    }
}

/// The numbers of a server in this process.
struct ServerPlace: Sendable, Hashable {
    /// The number in the journal, which no other server ever has.
    let index: Int
    /// The number that is added to the first port, which no other server has at the same time.
    ///
    /// If another program listens on that port, an added server uses a later one.
    let offset: Int
}

/// The progress of a start of many servers, reported once a second.
struct StartProgress: Sendable {
    private let total: Int
    private var lastReport: ContinuousClock.Instant

    init(of total: Int, at now: ContinuousClock.Instant) {
        self.total = total
        lastReport = now
    }

    /// Returns the line to print, or `nil` if the last one was less than a second ago or all servers listen.
    mutating func progressText(started: Int, at now: ContinuousClock.Instant) -> String? {
        guard started < total, lastReport.duration(to: now) >= .seconds(1) else { return nil }
        lastReport = now
        return "Starting: \(started) of \(total) servers listen."
    }
}
