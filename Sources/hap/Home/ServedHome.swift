import AccessoryFiles
import Foundation
import HAPServer
import HomeModel
import HomeRunning

/// The home that `hap serve --home` runs inside the servers.
struct ServedHome: Sendable {
    private let runner: HomeRunner

    /// Makes the primary home of a file with what is served.
    ///
    /// - Throws: ``CommandFailure`` with everything that is wrong in the file.
    init(_ path: String, over servers: [RunningServer], _ printer: LinePrinter) async throws(CommandFailure) {
        let document = try HomeSource.read(path)
        let members = servers.map { ServedWorld.Member($0.server, alias: $0.served.name, tap: $0.tap) }
        let world = await ServedWorld(members, startingAt: MachineClock().now)
        let merge = HomeMerge(document, into: Homes(), known: KnownAccessory.all(of: await world.servers()))
        let findings = HomeFile.findings(of: merge, in: path) + document.unknownTimeZones(in: path)
        guard merge.errors.isEmpty, let home = merge.homes.primaryHome else { throw CommandFailure(findings) }
        for finding in findings {
            printer.line(finding.line.printable)
        }
        printer.line("Home: \(home.name), \(home.automations.count { $0.isEnabled }) automations.".printable)
        runner = HomeRunner(
            home,
            on: world,
            clock: ServedClock(world),
            startedAt: await world.now,
            observer: HomeLog(printer, title: home.name.text, showsValues: false)
        )
    }

    /// Runs the home until the task is cancelled.
    func run() async {
        await runner.run()
    }
}
