import AccessoryModel
import ArgumentParser
import AsyncPrimitives
import Discovery
import Documents
import FoundationEssentials
import Glibc
import HAPCore
import HAPServer
import Hosting
import Resources
import Simulation
import Storage
import WebConsole

/// The command `hap run`, which runs scenarios and ends with their result.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run scenarios, and exit with their result.",
        discussion: """
            Serves the accessories that the scenario and its home name, or the Kilgo garage if they name none, and runs \
            the scenario. The servers have a temporary state, which is deleted at the end. Simulated time is skipped, not \
            waited for, unless a step waits for a controller. If there are several scenarios, they run one after \
            another, even if one fails.

            Exits with 0 if all steps passed, and with 1 if a step failed or a signal ended the run. Exits with 65 if a \
            scenario, or a file that it names, has errors; in that case no scenario runs.

            EXAMPLE
              hap run Config/scenarios/garage-day.yaml
              hap run --report result.xml Config/scenarios/garage-day.yaml
                                                  write the result as JUnit XML
              hap run --json Config/scenarios/garage-day.yaml
                                                  print the result as JSON
              hap run --quiet Config/scenarios/*.yaml
                                                  run all scenarios of a folder
              hap run --real-time Config/scenarios/obstruction.yaml
                                                  in real time
              hap run --time-scale 60 Config/scenarios/garage-day.yaml
                                                  a simulated minute in each second
            """
    )

    @Argument(help: .value("file", "The scenarios."), completion: .file())
    var files: [String]

    @Option(help: .value("file", "The file for the result as JUnit XML."), completion: .file())
    var report: String?

    @Flag(name: .customLong("real-time"), help: "Run in real time.")
    var realTime = false

    @Flag(help: "Print only the steps, not the value changes.")
    var quiet = false

    @Flag(help: "Print only the result, as JSON.")
    var json = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard server.timeScale == nil || !realTime else {
            throw ValidationError("--real-time means --time-scale 1; use only one of them.")
        }
    }

    /// A scenario that has no errors, with what it needs to run.
    private struct Prepared {
        let source: ScenarioSource
        let home: HomeSource?
        let served: [HostedContent]
        let settings: ServeSettings
        let plan: ScenarioPlan
    }

    func run() async throws {
        let sources = try files.map { try ScenarioSource(NamedFile($0)) }
        if let readyFile = server.readyFile {
            try ReadyFile.check(readyFile)
            ReadyFile.remove(readyFile)
        }
        let inputs = sources.flatMap { [$0.path] + ($0.files + [$0.home].compactMap(\.self)).map(\.path) }
        let report = try report.map { name throws in try ReportFile(name, besides: inputs) }
        let scenarios = try sources.map(prepare)
        // Each run ends its own sequence. All of them get the signal that ends a run.
        var signals: [StopSignals] = []
        for _ in scenarios { signals.append(await CommandContext.current.stopSignals()) }
        let printer = LinePrinter(descriptor: json ? -1 : CommandContext.current.output)
        defer { printer.flush(within: .seconds(5)) }
        var results: [ScenarioResult] = []
        for (scenario, signals) in zip(scenarios, signals) {
            guard !results.contains(where: \.isInterrupted) else {
                results.append(ScenarioMachine(scenario.plan, values: [:], startedAt: .now).result)
                continue
            }
            if scenarios.count > 1 { printer.printLine("\(scenario.source.path):".printable) }
            do {
                results.append(try await run(scenario, printer, signals))
            } catch  where scenarios.count > 1 {
                // The others run nevertheless, and the report says why this one did not.
                let reason = CommandFailure(error).message
                printer.printLine("✘ \(reason)".printable)
                var machine = ScenarioMachine(scenario.plan, values: [:], startedAt: .now)
                machine.stop(because: reason, at: .now)
                results.append(machine.result)
            }
        }
        let failed = zip(results, files).filter { !$0.0.isPassed }.map(\.1)
        if scenarios.count > 1 {
            let passed = "\(results.count - failed.count) of \(results.count) scenarios passed."
            let others = failed.isEmpty ? "" : " Failed or not run: \(failed.joined(separator: ", "))."
            printer.printLine((passed + others).printable)
        }
        if let report {
            // The report may be written where the lines are printed.
            printer.flush(within: .seconds(5))
            let junit = JUnitReport(results: zip(results, files).map { ($0, $1) })
            try report.write(Array(junit.text.utf8))
        }
        if json {
            let reports = zip(files, results).map { ScenarioReport(file: $0, result: $1) }
            try Output.write(ScenarioReport.list.json(reports) + "\n")
        }
        guard failed.isEmpty else { throw ExitCode(CommandFailure.Code.failed.rawValue) }
    }

    /// Loads what a scenario names, and checks the scenario.
    private func prepare(_ source: ScenarioSource) throws -> Prepared {
        let folder = CommandContext.current.temporaryFolder
            .appending(path: "hap-run-\(UUID().uuidString)", directoryHint: .isDirectory)
        let settings = try settings(source, keptIn: folder.path)
        let home = source.home.map { HomeSource($0) }
        let (served, warnings) = try HostedContent.load(of: settings, home: home)
        StandardError.write(warnings.map { "\($0.line)\n" }.joined())
        let plan = try source.check(on: served, home: home)
        return Prepared(source: source, home: home, served: served, settings: settings, plan: plan)
    }

    private func run(
        _ scenario: Prepared,
        _ printer: LinePrinter,
        _ signals: StopSignals
    ) async throws -> ScenarioResult {
        let folder = scenario.settings.stateLocation.path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await StateStore.open(folder: folder)
        // While time is simulated, servers and scenario would only wake each other's threads.
        let loop = isFast ? ServerLoop() : nil
        let process = HostedProcess(
            .run,
            hosting: HostedProcess.Content(
                accessories: scenario.served,
                scenarios: [scenario.source],
                home: scenario.home
            ),
            scenario.settings,
            store,
            HostedProcess.Printers(events: printer, notes: printer),
            isFast: isFast,
            isQuiet: quiet,
            on: loop
        )
        let outcome = await withTaskExecutorPreference(loop) {
            await Result { () async throws in try await process.run(until: signals) }
        }
        try? await store.close()
        return try outcome.get() ?? ScenarioResult(name: scenario.source.scenario.name, steps: [])
    }

    private func settings(_ source: ScenarioSource, keptIn folder: String) throws -> ServeSettings {
        var settings = ServeSettings(files: source.files, stateLocation: try StateLocation(folder, environment: [:]))
        settings.host.port = server.port ?? 0
        settings.host.bindAddress = server.bind ?? "127.0.0.1"
        settings.host.setupCode = server.setupCode.flatMap { SetupCode($0) }
        settings.host.advertise = server.advertise ?? .off
        settings.readyFile = server.readyFile
        settings.homeFile = source.home
        settings.host.runsHome = source.home != nil
        settings.host.seed = server.seed ?? source.scenario.seed
        settings.host.allowsCommands = server.allowCommands
        settings.host.recordings = server.recordings
        settings.host.runsScenario = true
        settings.console = server.console ?? .off
        if isFast {
            settings.host.behaviorClock.pause(at: .zero)
        } else if let timeScale = server.timeScale {
            settings.host.behaviorClock.setScale(timeScale, at: .now)
        }
        return settings
    }

    private var isFast: Bool { !realTime && server.timeScale == nil }
}
