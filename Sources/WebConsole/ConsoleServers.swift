internal import HAPCore
package import HAPServer
internal import HTTPTypes
package import Hosting
internal import Synchronization

/// A server that the console shows.
package struct ConsoleServer: Sendable {
    /// The number of the server in the journal; no two servers of a process have the same one.
    package let index: Int
    /// The key of its state, by which the API names it.
    package let key: String
    package let name: String
    package let server: AccessoryServer
    package let observer: ConsoleObserver
    /// The control of its faults, or `nil` if it was started without fault injection.
    package let faults: ServerFaults?
    /// Describes an event in a sentence; returns `nil` for events that are too frequent for sentences.
    package let describe: @Sendable (ServerEvent, ConsoleObserver.Peer?) -> String?

    package init(
        index: Int,
        key: String,
        name: String,
        server: AccessoryServer,
        observer: ConsoleObserver,
        faults: ServerFaults?,
        describe: @escaping @Sendable (ServerEvent, ConsoleObserver.Peer?) -> String?
    ) {
        self.index = index
        self.key = key
        self.name = name
        self.server = server
        self.observer = observer
        self.faults = faults
        self.describe = describe
    }
}

/// The current servers of a console, and what describes the events of those that were removed.
final class ConsoleServerList: Sendable {
    /// What describes the events of a server.
    struct Description: Sendable {
        let index: Int
        let key: String
        let observer: ConsoleObserver
        let describe: @Sendable (ServerEvent, ConsoleObserver.Peer?) -> String?

        init(_ server: ConsoleServer) {
            (index, key, observer, describe) = (server.index, server.key, server.observer, server.describe)
        }
    }

    /// The number of removed servers whose events are described.
    private static let rememberedServers = 100

    private let state: Mutex<State>

    private struct State {
        var servers: [ConsoleServer]
        var removed: [Description] = []
        var nextIndex: Int
    }

    init(_ servers: [ConsoleServer]) {
        state = Mutex(State(servers: servers, nextIndex: (servers.map(\.index).max() ?? -1) + 1))
    }

    var current: [ConsoleServer] { state.withLock { $0.servers } }

    func reserveIndex() -> Int {
        state.withLock { state in
            defer { state.nextIndex += 1 }
            return state.nextIndex
        }
    }

    func add(_ server: ConsoleServer) {
        state.withLock { $0.servers.append(server) }
    }

    func remove(_ index: Int) -> ConsoleServer? {
        state.withLock { state in
            guard let place = state.servers.firstIndex(where: { $0.index == index }) else { return nil }
            let server = state.servers.remove(at: place)
            if state.removed.count == Self.rememberedServers { state.removed.removeFirst() }
            state.removed.append(Description(server))
            return server
        }
    }

    /// Returns the description of a server, which may have been removed.
    func description(of index: Int) -> Description? {
        state.withLock { state in
            // Until a server is removed, each one is at its number.
            if state.servers.indices.contains(index), state.servers[index].index == index {
                return Description(state.servers[index])
            }
            return state.servers.first { $0.index == index }.map { Description($0) }
                ?? state.removed.first { $0.index == index }
        }
    }
}

extension Console {
    /// The current servers.
    package var servers: [ConsoleServer] { serverList.current }

    /// Returns the number in the journal for a server that will be added.
    package func reserveServer() -> Int {
        serverList.reserveIndex()
    }

    /// Forgets the metrics and the values of a server that has ended, or that could not start.
    package func forgetServer(_ index: Int, named name: String) {
        journal.removeValues(of: index)
        if !servers.contains(where: { $0.name == name }) { journal.metrics.removeAll(of: name) }
    }

    /// Adds a server while the console runs.
    package func add(_ server: ConsoleServer) {
        serverList.add(server)
        journal.append(.serverAdded(key: server.key, name: server.name))
    }

    /// Removes a server that has ended.
    package func remove(_ index: Int) {
        guard let server = serverList.remove(index) else { return }
        server.observer.forget()
        forgetServer(index, named: server.name)
        journal.append(.serverRemoved(key: server.key, name: server.name))
    }

    /// Returns a server by its key or its number in the journal, which stays when another server is removed.
    func server(_ name: String) throws(Problem) -> (index: Int, server: ConsoleServer) {
        let servers = servers
        if let server = servers.first(where: { $0.key == name }) { return (server.index, server) }
        if let index = Int(name), let server = servers.first(where: { $0.index == index }) { return (index, server) }
        let keys = servers.map { "\"\($0.key)\"" }.joined(separator: ", ")
        throw Problem(
            .notFound,
            "unknown-server",
            servers.isEmpty
                ? "This process serves no accessories." : "There is no server \"\(name)\"; there are: \(keys)."
        )
    }

    /// Returns the current simulation with the position of a server in it, or `nil` if the server was removed.
    func simulated(_ index: Int) -> (servers: SimulationServers, place: Int)? {
        guard let current = simulation?.current,
            let server = servers.first(where: { $0.index == index })?.server,
            let place = current.position(of: server, near: index)
        else { return nil }
        return (current, place)
    }
}
