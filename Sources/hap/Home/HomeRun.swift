import ArgumentParser
import Foundation
import HAPController
import HomeModel
import HomeRunning
import UnixSignals

/// `hap home run`: runs a home on the network.
struct HomeRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a home's automations on its accessories, until Ctrl-C: a line for each thing that happens.",
        discussion: """
            An accessory that is lost is looked for again and again. Changes that other commands make of the home, and who \
            comes and goes by 'hap home user', are noticed within a second. 'hap home journal' tells later why each \
            automation ran, or did not.

            EXAMPLE
              hap home run
              hap home run --home "Beach House" --json
            """
    )

    @OptionGroup var options: HomeOptions

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let printer = LinePrinter(descriptor: STDOUT_FILENO)
        defer { printer.flush(within: .seconds(1)) }
        try await options.withHome { home, library in
            try await options.controller.withController { controller in
                await run(home, library, controller, until: signals, printer)
            }
        }
    }

    private func run(
        _ home: Home,
        _ library: HomeLibrary,
        _ controller: Controller,
        until signals: UnixSignalsSequence,
        _ printer: LinePrinter
    ) async {
        let world = NetworkWorld(controller)
        let clock = MachineClock()
        let (entries, journal) = AsyncStream<KeptJournalEntry>.makeStream(bufferingPolicy: .bufferingNewest(10_000))
        let log = HomeLog(printer, isJSON: options.json) { entry, home in
            journal.yield(KeptJournalEntry(entry, in: home, by: FoundationCalendar(of: home)))
        }
        let runner = HomeRunner(
            home,
            on: world,
            clock: clock,
            startedAt: clock.now,
            memory: (try? await library.memory(of: home)) ?? EngineMemory(),
            observer: log
        )
        log.say("Running \(home.name): \(home.automations.count { $0.isEnabled }) automations. Ctrl-C ends it.")
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals { break }
            }
            group.addTask { await runner.run() }
            group.addTask { await Self.follow(library, home, runner, log) }
            group.addTask { await Self.keep(entries, in: library, log) }
            await group.next()
            journal.finish()
            group.cancelAll()
            await controller.close()
            try? await library.save(await runner.memory, of: home)
        }
        log.say("Stopped.")
    }

    /// Takes what other commands have changed.
    private static func follow(_ library: HomeLibrary, _ home: Home, _ runner: HomeRunner, _ log: HomeLog) async {
        var present = home
        var remembered: EngineMemory?
        while (try? await Task.sleep(for: .milliseconds(500))) != nil {
            let memory = await runner.memory
            if memory.ends != remembered?.ends || memory.presence != remembered?.presence {
                remembered = memory
                try? await library.save(memory, of: home)
            }
            guard let homes = try? await library.homes() else { continue }
            guard let changed = homes.home(home.id) else {
                return log.say("The home was removed.")
            }
            guard changed != present else { continue }
            for user in changed.users {
                if let before = present.user(user.id), before.isHome != user.isHome {
                    await runner.setPresence(user.isHome, of: user.id)
                }
            }
            present = changed
            await runner.replace(with: changed)
        }
    }

    /// Keeps what the engine says.
    private static func keep(
        _ entries: AsyncStream<KeptJournalEntry>,
        in library: HomeLibrary,
        _ log: HomeLog
    ) async {
        for await entry in entries {
            do {
                try await library.append([entry])
            } catch {
                log.say("The journal is not kept: \(error)")
            }
        }
        // Whoever is first here ends everything; that is for the others to do.
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}
