import ArgumentParser
import Discovery
import Documents
import Hosting
import Resources

/// The command `hap routes`, which lists the receivers of media on this network.
struct Routes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "List the AirPlay and Cast receivers on this network.",
        discussion: """
            Shows what each receiver announces: what it can play, whether it is in use, and what a sender needs. The \
            command connects to none.

            EXAMPLE
              hap routes
              hap routes --kind cast --json
              hap routes --watch             a line for each change, until Ctrl-C
            """
    )

    @Option(help: .value("kind", "Only this kind: cast or airplay."))
    var kind: Route.Kind?

    @Flag(help: "Print each receiver that appears, changes or disappears, until Ctrl-C.")
    var watch = false

    @Flag(help: "Print JSON: one object, or with --watch one object on a line for each change.")
    var json = false

    /// The time to search, and the time to wait for slow receivers after everything else was reported.
    private static let (time, settlingTime) = (Duration.seconds(3), Duration.milliseconds(300))

    func run() async throws {
        let kinds = kind.map { [$0] } ?? Route.Kind.allCases
        guard watch else {
            var routes: [Route] = []
            for kind in kinds {
                let found = try await DiscoveryResults.search(
                    kind.service,
                    within: Self.time,
                    settling: Self.settlingTime
                )
                routes += found.accessories.compactMap { Route(kind, $0) }
            }
            let list = RouteList(routes: routes.sorted { ($0.name, $0.address) < ($1.name, $1.address) })
            return try Output.write(list.text, list, Route.list, asJSON: json)
        }
        try await CastWatching.untilSignal {
            await withDiscardingTaskGroup { group in
                for kind in kinds {
                    group.addTask {
                        for await update in AccessoryBrowser(type: kind.service).updates() { print(update, kind) }
                    }
                }
            }
        }
    }

    private func print(_ update: DiscoveryUpdate, _ kind: Route.Kind) {
        switch update {
        case .appeared(let found): print("+", "appeared", Route(kind, found))
        case .changed(let found): print("~", "changed", Route(kind, found))
        case .disappeared(let found): print("-", "disappeared", Route(kind, found))
        case .unavailable(let error): StandardError.write("hap: \(error.reason) Waiting for it. \(error.remedy)\n")
        case .allForNow, .available: break
        }
    }

    private func print(_ sign: String, _ event: String, _ route: Route?) {
        guard let route else { return }
        let line =
            json
            ? RouteEvent.format.json(RouteEvent(event: event, route: route))
            : "\(LineTime.now)  \(sign) \(route.row.joined(separator: "  "))"
        _ = try? Output.write(line + "\n")
    }
}

extension Route.Kind: ExpressibleByArgument {}
