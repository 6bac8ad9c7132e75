import AccessoryFiles
import Foundation
import HAPCore
import HAPServer
import HomeModel
import HomeRunning
import SimulationRunning

/// The home that `hap serve --home` runs inside the servers.
struct ServedHome: Sendable {
    private let runner: HomeRunner
    private let world: ServedWorld
    private let start: WallInstant

    /// Makes the primary home of a file with what is served.
    ///
    /// - Parameter start: What its calendar and clock show now, such as `2026-03-02 06:00`; `nil` for what they do.
    /// - Throws: ``CommandFailure`` with everything that is wrong in the file.
    init(
        _ path: String,
        over servers: [RunningServer],
        _ printer: LinePrinter,
        startingAt start: String? = nil
    ) async throws(CommandFailure) {
        let document = try HomeSource.read(path)
        let start = Self.instant(start, of: document) ?? MachineClock().now
        let members = servers.map { ServedWorld.Member($0.server, alias: $0.served.name, tap: $0.tap) }
        let world = await ServedWorld(members, startingAt: start)
        let merge = HomeMerge(document, into: Homes(), known: KnownAccessory.all(of: await world.servers()))
        let findings = HomeFile.findings(of: merge, in: path)
        guard merge.errors.isEmpty, let home = merge.homes.primaryHome else { throw CommandFailure(findings) }
        for finding in findings {
            printer.line(finding.line.printable)
        }
        printer.line("Home: \(home.name), \(home.automations.count { $0.isEnabled }) automations.".printable)
        self.world = world
        self.start = start
        runner = HomeRunner(
            home,
            on: world,
            clock: ServedClock(world),
            startedAt: await world.now,
            observer: HomeLog(printer, title: home.name.text, showsValues: false)
        )
    }

    /// The moment at which the clocks of a file's home show this.
    private static func instant(_ text: String?, of document: HomeDocument) -> WallInstant? {
        guard let text, let civil = CivilDateTime(text) else { return nil }
        let primary = document.homes.first { $0.isPrimary } ?? document.homes.first
        guard let name = ObjectName(sensibly: "Home") else { return nil }
        let home = Home(id: ObjectID(1), name: name, timeZone: primary?.timeZone?.value)
        return FoundationCalendar(of: home).instant(of: civil)
    }

    /// The home as it is run on the simulation's clock, step by step.
    ///
    /// - Parameter origin: What that clock shows now.
    func stepped(from origin: MonotonicInstant) async -> SteppedHome {
        await SteppedHome(runner, in: world, at: start, from: origin)
    }

    /// Runs the home until the task is cancelled.
    func run() async {
        await runner.run()
    }
}
