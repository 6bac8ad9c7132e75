import AccessoryModel
import ArgumentParser
import Discovery
import FoundationEssentials
import Glibc
import HAPCore
import Hosting
import Logging
import Storage
import UnixSignals
import WebConsole

/// The command `hap serve`, which puts accessories on the network.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        // A command with a name above it is not asked for completion scripts, which would take half of the time to parse.
        _superCommandName: "hap",
        abstract: "Put accessories on the network.",
        discussion: """
            Prints the setup code with a QR code to scan, then one line for each event. Ctrl-C stops the servers.

            Each file has its own server: for an accessory, or for a bridge with its accessories. A file that is \
            edited while it is served is reloaded, and keeps its ids and pairings. If it has errors, they are printed \
            and the old version stays. With --accessories, all files of a folder are served. A file that is added later \
            is served at once. When a file is deleted, its server ends. A home file is reloaded in the same way; 'hap \
            home journal --served' shows why its automations ran, or did not. The definitions that a home file names \
            are served together with the files; a definition that is added or removed later needs a restart.

            EXAMPLE
              hap serve                              the Kilgo garage
              hap serve lamp.yaml bridge.yaml        two servers, two pairings
              hap serve --accessories ./files        all files of a folder, also new ones
              hap serve --simulate none lamp.yaml    its values stay as written
              hap serve --home Config/home.yaml      a house: the definitions that it names, and its automations
              hap serve --scenario Config/scenarios/garage-day.yaml
                                                     run a scenario alongside
              hap serve --time-scale 60              a simulated minute in each second
              hap serve --copies 20                  twenty garages
              hap serve --trace garage.trace         record what controllers send and receive
              hap serve --port 51826 --setup-code 101-48-005 --state ./garage
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        var settings = try ServeSettings(options, environment: ProcessInfo.processInfo.environment)
        if let path = settings.readyFile { try ReadyFile.check(path) }
        let scenario = try settings.scenarioFile.map { file throws(CommandFailure) in try ScenarioSource(file) }
        if let scenario {
            settings.adoptSettings(of: scenario)
        }
        let home = settings.homeFile.map { HomeSource($0) }
        let (named, warnings) = try ServedAccessory.load(of: settings, home: home)
        StandardError.write(warnings.map { "\($0.line)\n" }.joined())
        let folder = try settings.accessoriesFolder.map { file throws(CommandFailure) in try AccessoryFolder(file) }
        let contents = folder.map {
            FolderContents(of: $0, besides: named, settings.simulation, seed: settings.seed ?? 0)
        }
        StandardError.write((contents?.lines ?? []).map { "\($0)\n" }.joined())
        let accessories = contents?.accessories ?? named
        try settings.checkServerCount(accessories.count)
        _ = try scenario?.check(on: accessories, home: home)
        OpenFileLimit.raise()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let store = try await withAsyncCommandFailures { [settings] in
            try await StateStore.open(folder: settings.stateLocation.path)
        }
        let output = LinePrinter(descriptor: STDOUT_FILENO)
        // With --json, the output consists of JSON alone.
        let printer = settings.isJSON ? LinePrinter(descriptor: -1) : output
        // Answers and warnings that are not events.
        let notes = settings.isJSON ? LinePrinter(descriptor: STDERR_FILENO) : output
        let files = ServedFiles(settings, folder, contents?.files ?? [:], printer)
        let trace = try settings.traceFile.map { path throws(CommandFailure) in try Self.trace(at: path) }
        let logPrinter = LinePrinter(descriptor: STDERR_FILENO)
        let logger = settings.logLevel.map { level in
            Logger(label: "hap") { _ in LineLogHandler(logPrinter, level: level) }
        }
        var failure: CommandFailure?
        do throws(CommandFailure) {
            let journal = EventJournal()
            let starter = ServerStarter(
                settings,
                store: store,
                printer: printer,
                journal: journal,
                logger: logger,
                traffic: TrafficRecorder(trace),
                isAlone: accessories.count == 1 && folder == nil
            )
            try await serve(accessories, files, scenario, home, with: starter, until: signals, output, notes)
        } catch {
            failure = error
        }
        if let path = settings.readyFile {
            ReadyFile.remove(path)
        }
        do throws(StoreError) {
            try await store.close()
        } catch {
            failure = failure ?? CommandFailure(error)
        }
        // The program flushes last and with a time limit, because the output may be a pipe that is no longer read.
        output.flush(within: .seconds(1))
        notes.flush(within: .seconds(1))
        trace?.flush()
        logPrinter.flush(within: .seconds(1))
        if let failure { throw failure }
    }

    private func serve(
        _ accessories: [ServedAccessory],
        _ files: ServedFiles,
        _ scenario: ScenarioSource?,
        _ homeSource: HomeSource?,
        with starter: ServerStarter,
        until signals: UnixSignalsSequence,
        _ output: LinePrinter,
        _ notes: LinePrinter
    ) async throws(CommandFailure) {
        let (settings, printer, journal) = (starter.settings, starter.printer, starter.journal)
        if let path = settings.readyFile {
            ReadyFile.remove(path)
        }
        var fleet: ServerFleet?
        var home: ServedHome?
        var listening: ConsoleHost.Listening?
        var failure: CommandFailure?
        await withTaskGroup(of: Step.self) { group in
            group.addTask {
                for await _ in signals { break }
                return .signal
            }
            group.addTask {
                do throws(CommandFailure) {
                    return .started(try await ServerFleet.start(accessories, with: starter))
                } catch {
                    return .failed(error)
                }
            }
            var isStopping = false
            for await step in group {
                switch step {
                case .signal, .quit: isStopping = true
                case .ended: continue
                case .started(let started):
                    fleet = started
                    guard !isStopping else { continue }
                    // Runs concurrently with the signals, so that a signal can end it.
                    group.addTask {
                        await prepareScenarioAndHome(scenario, homeSource, on: started, settings, printer, journal)
                    }
                    continue
                case .prepared(let prepared, let run, let simulation):
                    home = prepared
                    guard !isStopping, let started = fleet else { continue }
                    do throws(CommandFailure) {
                        let current = CurrentSimulationServers(simulation)
                        let console = Console(
                            of: "serve",
                            version: Hap.configuration.version,
                            journal,
                            servers: started.servers.map(\.consoleServer),
                            simulation: current,
                            scenario: run?.status,
                            home: home?.consoleHome,
                            traffic: starter.traffic,
                            definitions: files.folder == nil ? nil : files
                        )
                        let process = RunningProcess(.serve, in: settings.stateLocation.path)
                        let readyFile = ServedReadyFile(settings.readyFile)
                        await files.begin(
                            ServedFiles.Process(fleet: started, console: console, simulation: current) {
                                await readyFile.update(started)
                            }
                        )
                        listening = try await ConsoleHost(console, process, at: settings.console, notes).start()
                        try await reportReady(started, settings, printer, output, listening, readyFile)
                        if settings.isJSON {
                            group.addTask {
                                await console.followEvents { output.printLine($0) }
                                return .ended
                            }
                        }
                        let commands = PrintedCommands(console, notes)
                        if settings.readsCommands {
                            group.addTask { await commands.executeInput() ? .quit : .ended }
                        }
                        if let run {
                            group.addTask {
                                _ = await run.run()
                                return .ended
                            }
                        } else if let home {
                            home.printSummary()
                            group.addTask {
                                await home.warnOfSameName()
                                return .ended
                            }
                            group.addTask {
                                await home.run()
                                return .ended
                            }
                        }
                        if Prompt.isAvailable, !settings.readsCommands, !settings.isJSON {
                            let prompt = Prompt(current, commands, printer)
                            group.addTask { await prompt.run() ? .quit : .ended }
                        }
                        group.addTask {
                            await files.run()
                            return .ended
                        }
                        continue
                    } catch {
                        failure = error
                    }
                case .failed(let error): failure = isStopping ? nil : error
                }
                // The calls of `stop()` below wait for pending requests.
                await listening?.stopAccepting()
                await fleet?.stopAccepting()
                // Canceling the group ends a slow start. After a failure, the program no longer waits for signals.
                group.cancelAll()
            }
        }
        if fleet != nil {
            if failure == nil {
                printer.printEvent("Stopping.")
            }
            ServiceManager.notify(.stopping, at: ProcessInfo.processInfo.environment["NOTIFY_SOCKET"])
        }
        // The values are saved when the last client has its answer.
        await listening?.stop()
        await fleet?.stop()
        await home?.close()
        if let failure { throw failure }
    }

    /// Prepares the home or the scenario that runs on the servers.
    private func prepareScenarioAndHome(
        _ scenario: ScenarioSource?,
        _ homeSource: HomeSource?,
        on fleet: ServerFleet,
        _ settings: ServeSettings,
        _ printer: LinePrinter,
        _ journal: EventJournal
    ) async -> Step {
        do throws(CommandFailure) {
            // Waits for the announcements first, because the time of a home or a scenario starts when it is prepared.
            if settings.advertise == .on { try await waitForAnnouncements(of: fleet) }
            if let scenario {
                let run = try await ScenarioRun(
                    scenario,
                    homeSource,
                    on: fleet,
                    settings,
                    printer,
                    journal,
                    isFast: false,
                    showsEvents: false
                )
                return .prepared(nil, run, run.simulation)
            }
            // Beside the preparation of the home, because the names of a large home take as long.
            async let simulation = fleet.simulation()
            var home: ServedHome?
            if let homeSource {
                let servers = fleet.servers
                home = try await ServedHome(
                    homeSource,
                    over: servers,
                    keptIn: settings.stateLocation,
                    printer,
                    journal
                )
            }
            let simulatedHome = await home?.simulatedHome()
            return .prepared(home, nil, await simulation.with(simulatedHome))
        } catch {
            return .failed(error)
        }
    }

    private enum Step: Sendable {
        case signal
        case started(ServerFleet)
        case prepared(ServedHome?, ScenarioRun?, SimulationServers)
        case failed(CommandFailure)
        case quit
        case ended
    }

    private func waitForAnnouncements(of fleet: ServerFleet) async throws(CommandFailure) {
        for server in fleet.servers {
            if case .unavailable(let error, _) = await server.advertiser.firstOutcome() {
                throw CommandFailure.unavailable(error.description)
            }
        }
    }

    /// Reports to the user, to scripts and to the service manager that all servers listen.
    private func reportReady(
        _ fleet: ServerFleet,
        _ settings: ServeSettings,
        _ printer: LinePrinter,
        _ output: LinePrinter,
        _ console: ConsoleHost.Listening?,
        _ readyFile: ServedReadyFile
    ) async throws(CommandFailure) {
        let banner = ServeBanner(
            fleet.servers.map(\.information),
            bindAddress: settings.bindAddress,
            isTerminal: isatty(STDOUT_FILENO) == 1,
            folder: settings.accessoriesFolder?.path
        )
        printer.printLine(banner.text)
        if let link = console?.link {
            printer.printLine("Console     \(link.text)")
        }
        if settings.advertise == .off {
            printer.printLine(
                "Network: not advertised (--advertise off); a controller reaches it by address and port alone."
            )
        } else if settings.advertise == .auto, fleet.servers.count > ServerFleet.maximumAdvertised {
            printer.printLine(
                "Network: the first \(ServerFleet.maximumAdvertised) servers are advertised; the message bus has no "
                    + "room for more. The others are reached by their ports."
            )
        }
        let ready = ReadyFile(
            servers: fleet.servers.map { ($0.accessory.key, $0.information) },
            console: console?.url
        )
        if settings.isJSON {
            output.printLine(String(decoding: ready.bytes.dropLast(), as: UTF8.self))
        }
        try await readyFile.write(ready, console: console?.url)
        ServiceManager.notify(.ready, at: ProcessInfo.processInfo.environment["NOTIFY_SOCKET"])
    }

    /// Creates the file of a trace.
    private static func trace(at path: String) throws(CommandFailure) -> TraceWriter {
        do throws(TraceWriter.Failure) {
            return try TraceWriter(path: path) { failure in
                StandardError.write(
                    "hap: The trace \(path.printable) is incomplete: \(failure.reason). Free space on the disk and "
                        + "restart.\n"
                )
            }
        } catch {
            throw CommandFailure.failed(
                "The trace cannot be written to \(path.printable): \(error.reason). Name a new file in a folder that "
                    + "you may write to."
            )
        }
    }
}
