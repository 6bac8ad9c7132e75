import ArgumentParser
import AsyncPrimitives
import HAPServer
import HomeRuntime
import Hosting
import Logging
import ServiceLifecycle
import Simulation
import Storage
import Synchronization
import WebConsole

/// A process that hosts servers: the one of `hap serve`, or that of a scenario of `hap run`.
///
/// It starts the servers, prepares the home and the scenario, listens for the console, and then reports that it is ready.
/// It ends in the opposite order.
final class HostedProcess: Sendable {
    /// What a process hosts.
    struct Content: Sendable {
        let accessories: [HostedContent]
        /// The folder of definitions with its files, or `nil` without one.
        var folder: (AccessoryFolder, [DefinitionFileName: FolderFile])?
        /// The scenarios, of which the first one runs at the start.
        let scenarios: [ScenarioSource]
        let home: HomeSource?
    }

    /// Where a process prints.
    struct Printers: Sendable {
        /// The events, and what the user should know at the start.
        let events: LinePrinter
        /// Answers and warnings that are not events.
        let notes: LinePrinter
        /// The events as JSON, or `nil` if they are not wanted.
        var json: LinePrinter?
    }

    /// The home and the scenario of the process.
    private struct Prepared: Sendable {
        var home: ServedHome?
        var scenario: ScenarioRun?
    }

    private let kind: RunningProcess.Kind
    private let settings: ServeSettings
    private let content: Content
    private let printers: Printers
    private let journal = EventJournal()
    private let traffic: TrafficRecorder
    private let readyFile: ServedReadyFile
    private let host: AccessoryHost
    private let files: ServedFiles
    private let scenarios: NamedScenarios
    /// Whether a scenario runs as fast as possible, and ends the process.
    private let isFast: Bool
    private let isQuiet: Bool

    private let isStarted = OneShot<Void>()
    private let prepared = OneShot<Prepared>()
    private let isReady = OneShot<Void>()
    private let end = OneShot<Void>()
    private let state = Mutex(State())

    private struct State {
        var listening: ConsoleHost.Listening?
        var result: ScenarioResult?
        var hasFailed = false
        var isEnding = false
    }

    /// Creates a process of `hap serve`, or of `hap run`, which ends with its scenario.
    ///
    /// - Parameters:
    ///   - trace: The writer of the trace, or `nil` for none.
    ///   - logger: The log of the servers, or `nil` for none.
    ///   - isFast: Whether time is skipped instead of waited for.
    ///   - isQuiet: Whether only the steps of a scenario are printed.
    ///   - loop: The event loop of all servers, or `nil` if each takes the next one.
    init(
        _ kind: RunningProcess.Kind,
        hosting content: Content,
        _ settings: ServeSettings,
        _ store: StateStore,
        _ printers: Printers,
        trace: TraceWriter? = nil,
        logger: Logger? = nil,
        isFast: Bool = false,
        isQuiet: Bool = true,
        on loop: ServerLoop? = nil
    ) {
        self.kind = kind
        self.settings = settings
        self.content = content
        self.printers = printers
        traffic = TrafficRecorder(trace)
        readyFile = ServedReadyFile(settings.readyFile)
        (self.isFast, self.isQuiet) = (isFast, isQuiet)
        let terminal = TerminalObserver(
            printer: printers.events,
            printsServers: kind == .serve,
            isAlone: content.accessories.count == 1 && content.folder == nil,
            mustAdvertise: settings.host.advertise == .on,
            tellsElapsedTime: !content.scenarios.isEmpty,
            showsScenarioEvents: !isQuiet,
            heldLines: isFast ? HeldLines() : nil
        )
        let log: [any HostObserver] = if let logger { [LoggerObserver(logger: logger)] } else { [] }
        let observers: [any HostObserver] = [journal, terminal] + log + [traffic, readyFile]
        host = AccessoryHost(settings.host, observers: observers, on: loop) { key in store.server(key: key) }
        files = ServedFiles(host, content.folder?.0, content.folder?.1 ?? [:])
        scenarios = NamedScenarios(content.scenarios, on: host, home: content.home)
    }

    /// Runs the process until a signal, a command, its scenario or a failure ends it.
    ///
    /// - Returns: The result of the scenario as far as it ran, or `nil` without one.
    /// - Throws: ``CommandFailure`` of the part that has failed.
    func run(until signals: StopSignals) async throws -> ScenarioResult? {
        await readyFile.remove()
        let parts = ProcessParts(
            until: signals,
            or: end,
            [
                part { process in try await process.runServers() },
                part { process in try await process.runHomeAndScenario() },
                part { process in try await process.runConsole() },
                part { process in await process.runWhileReady() },
                part { process in await process.reportEnd() },
            ]
        )
        let outcome = await Result { () async throws in try await parts.run() }
        await readyFile.remove()
        try outcome.get()
        return state.withLock { $0.result }
    }

    /// Returns the work of a part, whose errors after the beginning of the end do not count.
    private func part(
        _ work: @escaping @Sendable (HostedProcess) async throws -> Void
    ) -> @Sendable () async throws -> Void {
        { [self] in
            do {
                try await work(self)
            } catch {
                let counts = state.withLock { state in
                    if !state.isEnding { state.hasFailed = true }
                    return !state.isEnding
                }
                if counts { throw error }
            }
        }
    }

    /// This process, as others find it.
    private var process: RunningProcess { RunningProcess(kind, in: settings.stateLocation.path) }

    // MARK: The parts

    private func runServers() async throws {
        try await cancelWhenGracefulShutdown { [self] in try await host.start(content.accessories) }
        isStarted.set()
        try? await gracefulShutdown()
        // The values are saved when the last client has its answer.
        await host.stop()
    }

    private func runHomeAndScenario() async throws {
        let prepared = try await cancelWhenGracefulShutdown { [self] () -> Prepared? in
            guard await isStarted.waitUnlessCancelled() != nil else { return nil }
            // Waits for the announcements first, because the time of a home or a scenario starts when it is prepared.
            if settings.host.advertise == .on { try await waitForAnnouncements() }
            return try await prepare()
        }
        guard let prepared else { return }
        self.prepared.set(prepared)
        await cancelWhenGracefulShutdown { [self] in
            guard await isReady.waitUnlessCancelled() != nil else { return }
            prepared.home?.reportSummary()
            await withTaskGroup { group in
                // With a scenario as fast as possible, the home takes steps with it.
                if let home = prepared.home, !isFast { group.addTask { await home.run() } }
                if let scenario = prepared.scenario { group.addTask { [self] in await run(scenario) } }
            }
        }
        await prepared.home?.close()
    }

    private func run(_ scenario: ScenarioRun) async {
        await scenarios.run(scenario) { [self] result in
            state.withLock { $0.result = result }
            if kind == .run { end.set() }
        }
    }

    /// Prepares the home and the scenario that run on the servers.
    private func prepare() async throws -> Prepared {
        let source = content.scenarios.first
        var prepared = Prepared()
        if let source {
            prepared.scenario = try await ScenarioRun(
                source,
                content.home,
                on: host,
                isFast: isFast,
                reportsEverything: !isQuiet
            )
        }
        if let file = content.home {
            let folder = settings.stateLocation.path
            let home = try await ServedHome(file, on: host, keptIn: folder, startingAt: source?.scenario.start)
            host.setHome(await home.simulatedHome(isStepped: isFast))
            prepared.home = home
        }
        return prepared
    }

    private func waitForAnnouncements() async throws {
        for server in host.servers {
            if case .unavailable(let error, _) = await server.advertiser.firstOutcome() {
                throw CommandFailure.unavailable(error.description)
            }
        }
    }

    private func runConsole() async throws {
        let found = await cancelWhenGracefulShutdown { [self] () -> Prepared? in
            await prepared.waitUnlessCancelled()
        }
        guard let found else { return }
        let console = Console(
            of: kind.rawValue,
            version: Hap.configuration.version,
            journal,
            host: host,
            home: found.home.map { ConsoleHome($0.runner, in: $0.store, file: $0.file) },
            traffic: traffic,
            definitions: files.folder == nil ? nil : files,
            scenarios: kind == .serve ? scenarios : nil
        )
        let listening = try await ConsoleHost(console, process, at: settings.console, printers.notes).start()
        state.withLock { $0.listening = listening }
        do {
            try await reportReady(listening)
            isReady.set()
            try await runReaders(of: console)
        } catch {
            await listening.stop()
            throw error
        }
        await listening.stop()
    }

    /// Runs what reads commands and the journal, until the process ends.
    private func runReaders(of console: Console) async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                if let json = printers.json {
                    group.addTask { await console.followEvents { json.printLine($0) } }
                }
                let commands = PrintedCommands(console, printers.notes)
                if settings.readsCommands {
                    group.addTask { [end] in if await commands.executeInput() { end.set() } }
                } else if kind == .serve, printers.json == nil, Prompt.isAvailable {
                    let prompt = Prompt(host, commands, printers.events)
                    group.addTask { [end] in if await prompt.run() { end.set() } }
                }
            }
        }
        try? await gracefulShutdown()
    }

    /// Watches the files, and warns of automations that another process runs, too.
    private func runWhileReady() async {
        await cancelWhenGracefulShutdown { [self] in
            guard await isReady.waitUnlessCancelled() != nil else { return }
            await withTaskGroup(of: Void.self) { group in
                if kind == .serve { group.addTask { [files] in await files.run() } }
                if let home = prepared.value?.home {
                    group.addTask { [printers, process] in
                        await OtherHomes.warn(besides: home.runner, in: process) { warning in
                            printers.events.printEvent("Home: \(warning)".printable)
                        }
                    }
                }
            }
        }
    }

    /// Waits for the end of the process, refuses new work, and reports the end.
    private func reportEnd() async {
        try? await gracefulShutdown()
        let (listening, hasFailed) = state.withLock { state in
            state.isEnding = true
            return (state.listening, state.hasFailed)
        }
        await listening?.stopAccepting()
        await host.stopAccepting()
        guard kind == .serve, isStarted.isSet else { return }
        if !hasFailed { printers.events.printEvent("Stopping.") }
        ServiceManager.notify(.stopping, at: CommandContext.current.environment["NOTIFY_SOCKET"])
    }

    // MARK: Ready

    /// Reports to the user, to scripts and to the service manager that all servers listen.
    private func reportReady(_ console: ConsoleHost.Listening) async throws {
        await host.waitForListeners()
        let ready = await ReadyFile(of: host, console: console.url)
        if kind == .serve {
            printBanner(console)
            printers.json?.printLine(ready.json)
        } else if let link = console.link {
            printers.events.printLine("Console: \(link.text)")
        }
        try await readyFile.write(ready, of: host, console: console.url)
        if kind == .serve {
            ServiceManager.notify(.ready, at: CommandContext.current.environment["NOTIFY_SOCKET"])
        }
    }

    private func printBanner(_ console: ConsoleHost.Listening) {
        let printer = printers.events
        let banner = ServeBanner(
            host.servers.map(\.information),
            bindAddress: settings.host.bindAddress,
            isTerminal: CommandContext.current.isOutputTerminal,
            folder: settings.accessoriesFolder?.path
        )
        printer.printLine(banner.text)
        if let link = console.link {
            printer.printLine("Console     \(link.text)")
        }
        if settings.host.advertise == .off {
            printer.printLine(
                "Network: not advertised (--advertise off); a controller reaches it by address and port alone."
            )
        } else if settings.host.advertise == .auto, host.servers.count > HostSettings.maximumAdvertised {
            printer.printLine(
                "Network: the first \(HostSettings.maximumAdvertised) servers are advertised; the message bus has no "
                    + "room for more. The others are reached by their ports."
            )
        }
    }
}
