import ArgumentParser
import AsyncPrimitives
import HAPController
import HomeModel
import HomeRuntime
import Hosting
import ServiceLifecycle
import WebConsole

/// The command `hap home run`, which runs the automations of a home on the network.
struct HomeRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a home's automations on its accessories until Ctrl-C, and print one line for each event.",
        discussion: """
            A lost connection to an accessory is retried until it succeeds. Changes of the home by other commands, and \
            users that 'hap home user' marks as home or away, are noticed within a second. 'hap home journal' shows \
            later why each automation ran, or did not.

            EXAMPLE
              hap home run
              hap home run --home "Kilgo House" --json
            """
    )

    @Option(help: .console)
    var console: ConsoleAddress?

    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        try options.useStoredHomes(because: "'hap serve' runs the automations of a served home itself")
    }

    func run() async throws {
        let signals = await CommandContext.current.stopSignals()
        let printer = LinePrinter(descriptor: CommandContext.current.output)
        defer { printer.flush(within: .seconds(1)) }
        let folder = try StateLocation(options.controller.state)
        try await options.withHomes { selected in
            let store = selected.store
            let stored = try await store.homes()
            let home = try options.home(in: stored.homes)
            let claim = try await HomeLock(home, in: folder.path)
            defer { claim.release() }
            try await options.controller.withController { controller in
                try await run(home, from: stored, in: store, controller, until: signals, printer, folder)
            }
        }
    }

    private func run(
        _ home: Home,
        from stored: StoredHomes,
        in store: HomeStateStore,
        _ controller: Controller,
        until signals: StopSignals,
        _ printer: LinePrinter,
        _ folder: StateLocation
    ) async throws {
        let journal = EventJournal()
        let clock = MachineClock()
        let log = HomeLog(printer, of: home, isJSON: options.json)
        let updater = HomeStructureUpdater(home.id, in: store, controller: controller, report: log.report)
        let run = await StoredHomeRunner(
            home,
            from: stored,
            in: store,
            on: NetworkBackend(controller),
            clock: clock,
            startedAt: clock.now,
            observers: [log, updater, ConsoleHomeObserver(journal)],
            report: log.report
        )
        let console = Console(
            of: "home run",
            version: Hap.configuration.version,
            journal,
            home: ConsoleHome(run, in: store)
        )
        let process = RunningProcess(.home, in: folder.path)
        let consoleHost = ConsoleHost(console, process, at: self.console ?? .off, options.json ? nil : printer)
        let (isReady, end) = (OneShot<Void>(), OneShot<Void>())
        /// Returns work that begins when the console listens, and is canceled at the end of the process.
        func whileReady(_ work: @escaping @Sendable () async -> Void) -> @Sendable () async throws -> Void {
            {
                await cancelWhenGracefulShutdown {
                    if await isReady.waitUnlessCancelled() != nil { await work() }
                }
            }
        }
        let parts = ProcessParts(
            until: signals,
            or: end,
            [
                whileReady { await run.runner.run() },
                whileReady {
                    await run.synchronize()
                    // The home was removed.
                    end.set()
                },
                whileReady { await updater.run(onEdit: run.recordEdit) },
                // Asks processes that may not answer, so neither automations nor signals wait for it.
                whileReady { await OtherHomes.warn(besides: run, in: process, report: log.report) },
                {
                    let listening = try await consoleHost.start()
                    if let link = listening.link { await log.report("Console: \(link.text)") }
                    await log.report("Running \(home.name): \(home.automationCountText). Ctrl-C ends it.")
                    isReady.set()
                    try? await gracefulShutdown()
                    // Pending requests need the home and the controller.
                    await listening.stop()
                },
            ]
        )
        let outcome = await Result { () async throws in try await parts.run() }
        await controller.close()
        await run.close()
        try outcome.get()
        await log.report("Stopped.")
    }
}
