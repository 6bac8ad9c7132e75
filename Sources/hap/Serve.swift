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
        let (named, warnings) = try HostedContent.load(of: settings, home: home)
        StandardError.write(warnings.map { "\($0.line)\n" }.joined())
        let folder = try settings.accessoriesFolder.map { file throws(CommandFailure) in try AccessoryFolder(file) }
        let contents = folder.map {
            FolderContents(of: $0, besides: named, settings.host.simulation, seed: settings.host.seed ?? 0)
        }
        StandardError.write((contents?.lines ?? []).map { "\($0)\n" }.joined())
        let accessories = contents?.accessories ?? named
        try settings.host.checkServerCount(accessories.count)
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
        let trace = try settings.traceFile.map { path throws(CommandFailure) in try Self.trace(at: path) }
        let logPrinter = LinePrinter(descriptor: STDERR_FILENO)
        let logger = settings.logLevel.map { level in
            Logger(label: "hap") { _ in LineLogHandler(logPrinter, level: level) }
        }
        var failure: CommandFailure?
        do throws(CommandFailure) {
            let (journal, traffic) = (EventJournal(), TrafficRecorder(trace))
            let terminal = TerminalObserver(
                printer: printer,
                isAlone: accessories.count == 1 && folder == nil,
                mustAdvertise: settings.host.advertise == .on,
                tellsElapsedTime: scenario != nil
            )
            let readyFile = ServedReadyFile(settings.readyFile)
            let host = AccessoryHost(
                settings.host,
                observers: [journal, terminal] + (logger.map { [LoggerObserver(logger: $0)] } ?? []) + [
                    traffic, readyFile,
                ],
                store: { store.server(key: $0) }
            )
            let files = ServedFiles(host, folder, contents?.files ?? [:])
            try await serve(
                accessories,
                files,
                scenario,
                home,
                on: host,
                settings,
                until: signals,
                (journal, traffic, readyFile),
                printer,
                output,
                notes
            )
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
        _ accessories: [HostedContent],
        _ files: ServedFiles,
        _ scenario: ScenarioSource?,
        _ homeSource: HomeSource?,
        on host: AccessoryHost,
        _ settings: ServeSettings,
        until signals: UnixSignalsSequence,
        _ observers: (journal: EventJournal, traffic: TrafficRecorder, readyFile: ServedReadyFile),
        _ printer: LinePrinter,
        _ output: LinePrinter,
        _ notes: LinePrinter
    ) async throws(CommandFailure) {
        await observers.readyFile.remove()
        var hasStarted = false
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
                    try await host.start(accessories)
                    return .started
                } catch {
                    return .failed(error)
                }
            }
            var isStopping = false
            for await step in group {
                switch step {
                case .signal, .quit: isStopping = true
                case .ended: continue
                case .started:
                    hasStarted = true
                    guard !isStopping else { continue }
                    // Runs concurrently with the signals, so that a signal can end it.
                    group.addTask { await prepareScenarioAndHome(scenario, homeSource, on: host, settings) }
                    continue
                case .prepared(let prepared, let run):
                    home = prepared
                    guard !isStopping else { continue }
                    do throws(CommandFailure) {
                        let console = Console(
                            of: "serve",
                            version: Hap.configuration.version,
                            observers.journal,
                            host: host,
                            home: (home ?? run?.home).map { ConsoleHome($0.runner, in: $0.store) },
                            traffic: observers.traffic,
                            definitions: files.folder == nil ? nil : files
                        )
                        let process = RunningProcess(.serve, in: settings.stateLocation.path)
                        listening = try await ConsoleHost(console, process, at: settings.console, notes).start()
                        try await reportReady(host, settings, printer, output, listening, observers.readyFile)
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
                            home.reportSummary()
                            group.addTask {
                                for warning in await HomesOfOneName.started(home.name, besides: .home) {
                                    printer.printEvent("Home: \(warning)".printable)
                                }
                                return .ended
                            }
                            group.addTask {
                                await home.run()
                                return .ended
                            }
                        }
                        if Prompt.isAvailable, !settings.readsCommands, !settings.isJSON {
                            let prompt = Prompt(host, commands, printer)
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
                await host.stopAccepting()
                // Canceling the group ends a slow start. After a failure, the program no longer waits for signals.
                group.cancelAll()
            }
        }
        if hasStarted {
            if failure == nil {
                printer.printEvent("Stopping.")
            }
            ServiceManager.notify(.stopping, at: ProcessInfo.processInfo.environment["NOTIFY_SOCKET"])
        }
        // The values are saved when the last client has its answer.
        await listening?.stop()
        await host.stop()
        await home?.close()
        if let failure { throw failure }
    }

    /// Prepares the home or the scenario that runs on the servers.
    private func prepareScenarioAndHome(
        _ scenario: ScenarioSource?,
        _ homeSource: HomeSource?,
        on host: AccessoryHost,
        _ settings: ServeSettings
    ) async -> Step {
        do throws(CommandFailure) {
            // Waits for the announcements first, because the time of a home or a scenario starts when it is prepared.
            if settings.host.advertise == .on { try await waitForAnnouncements(of: host) }
            let folder = settings.stateLocation.path
            if let scenario {
                let run = try await ScenarioRun(
                    scenario,
                    homeSource,
                    on: host,
                    keptIn: folder,
                    isFast: false,
                    reportsEverything: false
                )
                return .prepared(nil, run)
            }
            guard let homeSource else { return .prepared(nil, nil) }
            let home = try await ServedHome(homeSource, on: host, keptIn: folder)
            host.setHome(await home.simulatedHome())
            return .prepared(home, nil)
        } catch {
            return .failed(error)
        }
    }

    private enum Step: Sendable {
        case signal
        case started
        case prepared(ServedHome?, ScenarioRun?)
        case failed(CommandFailure)
        case quit
        case ended
    }

    private func waitForAnnouncements(of host: AccessoryHost) async throws(CommandFailure) {
        for server in host.servers {
            if case .unavailable(let error, _) = await server.advertiser.firstOutcome() {
                throw CommandFailure.unavailable(error.description)
            }
        }
    }

    /// Reports to the user, to scripts and to the service manager that all servers listen.
    private func reportReady(
        _ host: AccessoryHost,
        _ settings: ServeSettings,
        _ printer: LinePrinter,
        _ output: LinePrinter,
        _ console: ConsoleHost.Listening?,
        _ readyFile: ServedReadyFile
    ) async throws(CommandFailure) {
        let banner = ServeBanner(
            host.servers.map(\.information),
            bindAddress: settings.host.bindAddress,
            isTerminal: isatty(STDOUT_FILENO) == 1,
            folder: settings.accessoriesFolder?.path
        )
        printer.printLine(banner.text)
        if let link = console?.link {
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
        let ready = ReadyFile(servers: host.servers.map { ($0.key, $0.information) }, console: console?.url)
        if settings.isJSON {
            output.printLine(String(decoding: ready.bytes.dropLast(), as: UTF8.self))
        }
        try await readyFile.write(ready, of: host, console: console?.url)
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
