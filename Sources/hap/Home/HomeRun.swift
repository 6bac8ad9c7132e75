import ArgumentParser
import Foundation
import HAPController
import HomeModel
import HomeRuntime
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
              hap home run --home "Kilgo House" --json
            """
    )

    @OptionGroup var options: HomeOptions

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let printer = LinePrinter(descriptor: STDOUT_FILENO)
        defer { printer.flush(within: .seconds(1)) }
        let folder = try StateLocation(options.controller.state, environment: ProcessInfo.processInfo.environment)
        try await options.withLibrary { library in
            let kept = try await library.kept()
            let home = try options.home(in: kept.homes)
            let claim = try await HomeClaim(home, in: folder.path)
            defer { claim.release() }
            try await options.controller.withController { controller in
                let keeper = HomeKeeper(home, after: kept.lastPresenceChange, in: library)
                await run(home, keeper, library, controller, until: signals, printer)
            }
        }
    }

    private func run(
        _ home: Home,
        _ keeper: HomeKeeper,
        _ library: HomeLibrary,
        _ controller: Controller,
        until signals: UnixSignalsSequence,
        _ printer: LinePrinter
    ) async {
        let clock = MachineClock()
        let log = HomeLog(printer, of: home, isJSON: options.json) { entry, home in keeper.note(entry, in: home) }
        let (news, newsQueue) = AsyncStream<HomeNews>.makeStream()
        let runner = HomeRunner(
            home,
            on: NetworkWorld(controller),
            clock: clock,
            startedAt: clock.now,
            memory: await keeper.memory(log),
            observer: HomeRunNews(log: log, servers: newsQueue)
        )
        let updater = HomeUpdater(home: home.id, library: library, controller: controller, log: log) {
            keeper.noticeEdit()
        }
        await log.say("Running \(home.name): \(home.countOfAutomations). Ctrl-C ends it.")
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals { break }
            }
            group.addTask { await runner.run() }
            group.addTask { await keeper.follow(runner, log) }
            group.addTask { await updater.run(news) }
            await group.next()
            group.cancelAll()
            await controller.close()
        }
        await keeper.close(runner, log)
        await log.say("Stopped.")
    }
}

/// Hands on what happens while a home is run: to people, and to who looks at servers.
private struct HomeRunNews: HomeRunObserver {
    let log: HomeLog
    let servers: AsyncStream<HomeNews>.Continuation

    func observe(_ news: HomeNews, in home: Home, at instant: WallInstant) {
        log.observe(news, in: home, at: instant)
        switch news {
        case .reachable, .structureChanged: servers.yield(news)
        case .journal, .ran, .value, .written, .unreachable: break
        }
    }
}
