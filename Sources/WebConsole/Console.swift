internal import AccessoryFiles
internal import AccessoryModel
internal import Documents
package import HAPCore
package import HAPServer
internal import HTTPTypes
internal import NIOCore
internal import NIOPosix
package import Simulation
package import SimulationRuntime
internal import Synchronization

/// A server that the console shows.
package struct ConsoleServer: Sendable {
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
        key: String,
        name: String,
        server: AccessoryServer,
        observer: ConsoleObserver,
        faults: ServerFaults?,
        describe: @escaping @Sendable (ServerEvent, ConsoleObserver.Peer?) -> String?
    ) {
        self.key = key
        self.name = name
        self.server = server
        self.observer = observer
        self.faults = faults
        self.describe = describe
    }
}

/// What the API shows and changes: the servers of this process, their simulation, a scenario and a home.
///
/// It only reads the servers' observers and calls their public functions; no server knows of it.
package final class Console: Sendable {
    package let journal: EventJournal
    package let servers: [ConsoleServer]
    /// The simulation of the servers, or `nil` if the process serves no accessories.
    package let simulation: CurrentSimulationServers?
    package let scenario: ScenarioStatus?
    package let home: ConsoleHome?
    /// The recorder of the servers' messages.
    let traffic: TrafficRecorder
    /// The folder of definitions, or `nil` if the process has none.
    package let definitions: (any DefinitionFolder)?
    /// The command that the process runs, such as `serve`.
    package let process: String
    package let version: String
    let collector: EventCollector
    let metrics = PrometheusRegistry()
    let endpoints: EndpointTable
    /// The time of the simulation when it was first read.
    let firstTime = Mutex<MonotonicInstant?>(nil)
    private let streamCount = Atomic(0)

    /// Creates a console for what a process runs.
    package init(
        of process: String,
        version: String,
        _ journal: EventJournal,
        servers: [ConsoleServer] = [],
        simulation: CurrentSimulationServers? = nil,
        scenario: ScenarioStatus? = nil,
        home: ConsoleHome? = nil,
        traffic: TrafficRecorder = TrafficRecorder(),
        definitions: (any DefinitionFolder)? = nil
    ) {
        self.process = process
        self.version = version
        self.journal = journal
        self.servers = servers
        self.simulation = simulation
        self.scenario = scenario
        self.home = home
        self.traffic = traffic
        self.definitions = definitions
        collector = EventCollector(journal, servers: servers.map(\.name), metrics)
        endpoints = EndpointTable(Self.allEndpoints)
        openAPI = OpenAPIDocument(Self.allEndpoints, version: version).bytes
    }

    /// The description of the API as JSON.
    package let openAPI: [UInt8]
    /// The event loop of the API: that of the first server, so that a read does not wait for another thread.
    var eventLoop: any EventLoop {
        servers.first?.server.eventLoop ?? MultiThreadedEventLoopGroup.singleton.next()
    }

    /// Returns a server by its key or its number, from 0.
    func server(_ name: String) throws(Problem) -> (index: Int, server: ConsoleServer) {
        if let index = servers.firstIndex(where: { $0.key == name }) { return (index, servers[index]) }
        if let index = Int(name), servers.indices.contains(index) { return (index, servers[index]) }
        let keys = servers.map { "\"\($0.key)\"" }.joined(separator: ", ")
        throw Problem(
            .notFound,
            "unknown-server",
            servers.isEmpty
                ? "This process serves no accessories." : "There is no server \"\(name)\"; there are: \(keys)."
        )
    }

    /// Returns the simulation.
    ///
    /// - Throws: ``Problem`` if the process serves no accessories.
    func simulated() throws(Problem) -> CurrentSimulationServers {
        guard let simulation else {
            throw Problem(.conflict, "nothing-served", "This process serves no accessories; use one of 'hap serve'.")
        }
        return simulation
    }

    /// Returns a home.
    ///
    /// - Throws: ``Problem`` if the process runs none.
    func runningHome() throws(Problem) -> ConsoleHome {
        guard let home else {
            throw Problem(.notFound, "no-home", "This process runs no home; start it with 'hap serve --home FILE'.")
        }
        return home
    }

    /// Makes room for an event stream, until ``releaseStream()``.
    ///
    /// - Throws: ``Problem`` if too many streams are open.
    func reserveStream() throws(Problem) {
        guard streamCount.add(1, ordering: .relaxed).newValue <= ConsoleLimits.streams else {
            releaseStream()
            throw Problem(
                .serviceUnavailable,
                "too-many-streams",
                "There are \(ConsoleLimits.streams) event streams already; close one of them."
            )
        }
    }

    /// Makes room for another event stream.
    func releaseStream() {
        streamCount.subtract(1, ordering: .relaxed)
    }

    /// Performs a command of the prompt, and returns its answer.
    ///
    /// - Throws: ``SimulationError`` if the command is not understood or refused.
    package func perform(_ command: String) async throws(SimulationError) -> CommandAnswer {
        guard let simulation else {
            throw SimulationError(.refused, "This process serves no accessories.", "Use a process of 'hap serve'.")
        }
        let answer = try await CommandInterpreter(simulation).perform(command)
        if case .done(let text) = answer {
            journal.append(.command(command.truncated(to: ConsoleObserver.longestText), message: text))
        }
        return answer
    }
}

/// The answer to a command of the prompt.
package enum CommandAnswer: Sendable, Hashable {
    /// The line was empty.
    case nothing
    /// The action was performed; the text describes it.
    case done(String)
    /// A text to show.
    case shown(String)
    /// The program should end.
    case quit
}

/// An interpreter of the commands of the prompt, the one for the terminal, for standard input, for scripts and the API.
package struct CommandInterpreter: Sendable {
    private let simulation: CurrentSimulationServers

    package init(_ simulation: CurrentSimulationServers) {
        self.simulation = simulation
    }

    /// Performs a command.
    ///
    /// - Throws: ``SimulationError`` if the command is not understood or refused.
    package func perform(_ line: String) async throws(SimulationError) -> CommandAnswer {
        let servers = simulation.current
        switch try PromptCommand(line, servers.names) {
        case .empty: return .nothing
        case .help: return .shown(PromptCommand.helpText)
        case .faults: return .shown(PromptCommand.faultHelpText)
        case .quit: return .quit
        case .show(let target):
            let object = try target.map { target throws(SimulationError) in try servers.names.resolve(target) }
            let lines = await servers.statusLines(of: object)
            return .shown(lines.isEmpty ? "There is nothing to show." : lines.joined(separator: "\n"))
        case .perform(let action): return .done(try await simulation.perform(action))
        }
    }
}
