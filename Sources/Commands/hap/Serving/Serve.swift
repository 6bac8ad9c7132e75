import AccessoryModel
import ArgumentParser
import AsyncPrimitives
import Hosting
import Logging
import Simulation
import Storage
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
        var settings = try ServeSettings(options, environment: CommandContext.current.environment)
        if let path = settings.readyFile { try ReadyFile.check(path) }
        let scenarios = try settings.scenarioFiles.map { file throws in try ScenarioSource(file) }
        if let first = scenarios.first { settings.adoptSettings(of: first) }
        let content = try Self.load(settings, scenarios)
        OpenFileLimit.raise()
        let signals = await CommandContext.current.stopSignals()
        let store = try await StateStore.open(folder: settings.stateLocation.path)
        // With --json, the output consists of JSON alone.
        let output = LinePrinter(descriptor: CommandContext.current.output)
        let log = LinePrinter(descriptor: CommandContext.current.errors)
        let printers = HostedProcess.Printers(
            events: settings.isJSON ? LinePrinter(descriptor: -1) : output,
            notes: settings.isJSON ? log : output,
            json: settings.isJSON ? output : nil
        )
        var trace: TraceWriter?
        let outcome = await Result { [settings] () async throws in
            trace = try settings.traceFile.map { path throws in try TraceWriter(recordingTo: path) }
            let logger = settings.logLevel.map { level in
                Logger(label: "hap") { _ in LineLogHandler(log, level: level) }
            }
            let process = HostedProcess(
                .serve,
                hosting: content,
                settings,
                store,
                printers,
                trace: trace,
                logger: logger
            )
            _ = try await process.run(until: signals)
        }
        let closing = await Result { () async throws(StoreError) in try await store.close() }
        // The program flushes last and with a time limit, because the output may be a pipe that is no longer read.
        output.flush(within: .seconds(1))
        trace?.flush()
        log.flush(within: .seconds(1))
        try outcome.get()
        try closing.get()
    }

    /// Loads everything that the settings name, before anything starts.
    private static func load(
        _ settings: ServeSettings,
        _ scenarios: [ScenarioSource]
    ) throws -> HostedProcess.Content {
        let home = settings.homeFile.map { HomeSource($0) }
        let (named, warnings) = try HostedContent.load(of: settings, home: home)
        StandardError.write(warnings.map { "\($0.line)\n" }.joined())
        let folder = try settings.accessoriesFolder.map { file throws in try AccessoryFolder(file) }
        let contents = folder.map {
            FolderContents(
                of: $0,
                besides: named,
                settings.host.simulation,
                seed: settings.host.seed ?? 0,
                allowsCommands: settings.host.allowsCommands
            )
        }
        StandardError.write((contents?.lines ?? []).map { "\($0)\n" }.joined())
        let accessories = contents?.accessories ?? named
        try settings.host.checkServerCount(accessories.count)
        let names = Dictionary(grouping: scenarios, by: \.scenario.name)
        if let name = names.first(where: { $1.count > 1 })?.key {
            throw CommandFailure.usage("Two scenarios are called \(name.printable); give one of them another name.")
        }
        for scenario in scenarios { _ = try scenario.check(on: accessories, home: home) }
        return HostedProcess.Content(
            accessories: accessories,
            folder: folder.map { ($0, contents?.files ?? [:]) },
            scenarios: scenarios,
            home: home
        )
    }
}
