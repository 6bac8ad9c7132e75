package import AsyncPrimitives
internal import Documents
internal import HAPCore
internal import HAPServer
internal import HTTPTypes
package import Hosting
package import Simulation
internal import Synchronization

/// What the API shows and changes: the servers of a host, a scenario and a home.
///
/// It observes the host and calls its functions; no server knows of it.
package final class Console: Sendable {
    package let journal: EventJournal
    /// The servers, or `nil` if the process serves no accessories.
    package let host: AccessoryHost?
    package let home: ConsoleHome?
    /// The recorder of the servers' messages.
    let traffic: TrafficRecorder
    /// The folder of definitions, or `nil` if the process has none.
    package let definitions: ServedFiles?
    /// The scenarios that can be started, or `nil` if the process is made for one.
    let scenarios: NamedScenarios?
    /// The command that the process runs, such as `serve`.
    package let process: String
    package let version: String
    /// The time on the simulation's clock at the start of the first server.
    let firstTime: Mutex<MonotonicInstant?>
    private let composedOpenAPI = Mutex<[UInt8]?>(nil)
    private let streamCount = Atomic(0)
    private let checks: ConcurrencyLimiter

    /// Creates a console for what a process runs.
    package init(
        of process: String,
        version: String,
        _ journal: EventJournal,
        host: AccessoryHost? = nil,
        home: ConsoleHome? = nil,
        traffic: TrafficRecorder = TrafficRecorder(),
        definitions: ServedFiles? = nil,
        scenarios: NamedScenarios? = nil,
        checks: ConcurrencyLimiter = ConcurrencyLimiter(ConsoleLimits.checks, patience: ConsoleLimits.checkTime)
    ) {
        self.process = process
        self.version = version
        self.journal = journal
        self.host = host
        self.home = home
        self.traffic = traffic
        self.definitions = definitions
        self.scenarios = scenarios
        self.checks = checks
        firstTime = Mutex(host?.servers.first.flatMap { journal.server($0.id)?.startTime })
    }

    /// The description of the API as JSON.
    ///
    /// It is composed when a client asks for it first: it takes as much time as the start of a server.
    var openAPI: [UInt8] {
        composedOpenAPI.withLock { composed in
            let bytes = composed ?? OpenAPIDocument(Self.endpoints.all, version: version).bytes
            composed = bytes
            return bytes
        }
    }

    /// The current servers.
    var servers: [HostedServer] { host?.servers ?? [] }

    /// Returns the host.
    ///
    /// - Throws: ``Problem`` if the process serves no accessories.
    func serving() throws -> AccessoryHost {
        guard let host else {
            throw Problem(.conflict, "nothing-served", "This process serves no accessories; use one of 'hap serve'.")
        }
        return host
    }

    /// Returns a server by its key or its number, which stays when another server is removed.
    ///
    /// - Throws: ``Problem`` if there is none.
    func server(_ name: String) throws -> HostedServer {
        let servers = servers
        if let server = servers.first(where: { $0.key == name }) { return server }
        if let id = Int(name), let server = host?[id] { return server }
        let keys = servers.map { "\"\($0.key)\"" }.joined(separator: ", ")
        throw Problem(
            .notFound,
            "unknown-server",
            servers.isEmpty
                ? "This process serves no accessories." : "There is no server \"\(name)\"; there are: \(keys)."
        )
    }

    /// Returns a home.
    ///
    /// - Throws: ``Problem`` if the process runs none.
    func runningHome() throws -> ConsoleHome {
        guard let home else {
            throw Problem(.notFound, "no-home", "This process runs no home; start it with 'hap serve --home FILE'.")
        }
        return home
    }

    /// Reserves a place for an event stream, until ``releaseStream()``.
    ///
    /// - Throws: ``Problem`` if too many streams are open.
    func reserveStream() throws {
        guard streamCount.add(1, ordering: .relaxed).newValue <= ConsoleLimits.streams else {
            releaseStream()
            throw Problem(
                .serviceUnavailable,
                "too-many-streams",
                "There are \(ConsoleLimits.streams) event streams already; close one of them."
            )
        }
    }

    /// Releases the place of an event stream.
    func releaseStream() {
        streamCount.subtract(1, ordering: .relaxed)
    }

    /// Reads a definition when no other one is being read.
    ///
    /// - Throws: The error of the work, or a ``Problem`` if the others take too long.
    func limitingChecks(_ work: () async throws -> APIResponse) async throws -> APIResponse {
        guard await checks.acquire() else {
            throw Problem(.serviceUnavailable, "busy", "Other definitions are being read; try again in a second.")
        }
        defer { checks.release() }
        return try await work()
    }

    /// Performs a command of the prompt, and returns its answer.
    ///
    /// - Throws: ``SimulationError`` if the command is not understood or refused.
    package func perform(_ command: String) async throws(SimulationError) -> CommandAnswer {
        guard let host else {
            throw SimulationError(.refused, "This process serves no accessories.", "Use a process of 'hap serve'.")
        }
        let answer = try await host.perform(command: command)
        if case .done(let text) = answer {
            journal.append(.command(command.truncated(to: ConsoleObserver.longestText), message: text))
        }
        return answer
    }
}
