import AccessoryFiles
import AccessoryModel
import Discovery
import Foundation
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import TestSupport
import WebConsole

/// A home near the limits with the definition that it names: 900 rooms, 900 zones, and 99 accessories of 96 services
/// behind one bridge.
struct LargeHome {
    /// The home file.
    let home: String
    /// The definition of the bridge, in the file `bridge.yaml`.
    let definition: String

    private static let (rooms, accessories, servicesPerAccessory) = (900, 99, 96)

    /// Creates the files.
    ///
    /// - Parameter scale: The share of the rooms, zones and accessories, for comparisons of sizes.
    init(scale: Double = 1) {
        let rooms = max(10, Int(Double(Self.rooms) * scale))
        let names = (0..<rooms).map { "R\($0)" }
        var home = ["home: Big", "rooms: [\(names.joined(separator: ", "))]", "zones:"]
        home += (0..<rooms)
            .map { zone in
                let members = (0..<10).map { names[(zone + $0 * 7) % rooms] }
                return "  Z\(zone): [\(Set(members).sorted().joined(separator: ", "))]"
            }
        home.append("accessories:")
        var definition = ["bridge: Bridge", "accessories:"]
        var number = 0
        for accessory in 0..<max(1, Int(Double(Self.accessories) * scale)) {
            definition += ["  - accessory: A\(accessory)", "    services:"]
            home += ["  - accessory: A\(accessory)", "    definition: bridge.yaml"]
            home += ["    room: \(names[accessory % rooms])", "    services:"]
            for service in 1...Self.servicesPerAccessory {
                definition.append("      - { type: Switch, name: S\(number) }")
                home.append("      Switch (\(service)): { name: S\(number), room: \(names[number % rooms]) }")
                number += 1
            }
        }
        self.home = home.joined(separator: "\n") + "\n"
        self.definition = definition.joined(separator: "\n") + "\n"
    }

    /// Writes the files into a folder, which is created if necessary.
    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in [("home.yaml", home), ("bridge.yaml", definition)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
    }

    /// A measured time with its limit.
    struct Measurement {
        let title: String
        let milliseconds: Double
        let limit: Double

        var isWithinLimit: Bool { milliseconds < limit }
    }

    /// Serves the home as `hap serve --home` does, and measures the start and the answers of the API.
    func measure() async throws -> [Measurement] {
        let clock = ContinuousClock()
        func milliseconds(since start: ContinuousClock.Instant) -> Double { (clock.now - start) / .milliseconds(1) }
        let folder = try TemporaryFolder()
        let start = clock.now
        let document = try HomeFile.read(Array(home.utf8), name: "home.yaml")
        let reading = milliseconds(since: start)
        let contents = try AccessoryFile.read(Array(definition.utf8), name: "bridge.yaml")
        let forwarder = ServerEventForwarder()
        let server = try await AccessoryServer.start(
            ServerConfiguration(
                name: "Bridge",
                category: .bridge,
                bindAddress: "127.0.0.1",
                setupCode: Fixture.setupCode
            ),
            accessories: contents.document.makeAccessories(isSimulated: true),
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser(), observer: forwarder)
        )
        let now = MachineClock().now
        let backend = await InProcessBackend(
            AccessoryHost.hosting((server, "Bridge", forwarder)),
            startingAt: now
        )
        let store = try await HomeStateStore.open(folder: folder.path)
        let known = KnownAccessory.all(of: await backend.servers())
        let (merge, stored) = try await store.updateAndReturnHomes { homes throws(HomeError) in
            let merge = HomeMerge(document, into: homes, known: known, extent: .complete)
            homes = merge.homes
            return merge
        }
        guard merge.errors.isEmpty, merge.missing.isEmpty, let home = stored.homes.primaryHome else {
            throw BenchmarkError(
                text: "the large home has errors: \(merge.errors.prefix(3)) \(merge.missing.prefix(3))"
            )
        }
        let runner = await StoredHomeRunner(
            home,
            from: stored,
            in: store,
            on: backend,
            clock: InProcessClock(backend),
            startedAt: now,
            observers: []
        ) { _ in }
        let console = Console(of: "serve", version: "1", EventJournal(), home: ConsoleHome(runner, in: store))
        let socket = folder("console.socket")
        let sockets = ConsoleSockets(console)
        try await sockets.listen(onSocket: socket)
        let starting = milliseconds(since: start)
        let running = Task { await runner.runner.run() }
        let client = ConsoleClient(socket: socket)
        var answers: [Double] = []
        var waits: [Double] = []
        for _ in 0..<7 {
            let began = clock.now
            async let answer = client.send("GET", "/api/v1/home")
            // A request of a controller needs the event loop of the server, as this value does.
            while milliseconds(since: began) < 20 {
                let asked = clock.now
                _ = await server.behaviorTime
                waits.append(milliseconds(since: asked))
                try await Task.sleep(for: .milliseconds(1))
            }
            guard try await answer.isSuccess else { throw BenchmarkError(text: "the home was not returned") }
            answers.append(milliseconds(since: began))
        }
        running.cancel()
        await running.value
        let stop = clock.now
        await sockets.stop()
        await runner.close()
        await server.stop()
        try await store.close()
        return [
            Measurement(
                title: "reading a home file of \(self.home.utf8.count) bytes",
                milliseconds: reading,
                limit: 300
            ),
            Measurement(title: "starting this home with 9,504 services", milliseconds: starting, limit: 1_000),
            Measurement(title: "GET /api/v1/home there, median", milliseconds: answers.sorted()[3], limit: 100),
            Measurement(
                title: "the longest wait for the server's event loop meanwhile",
                milliseconds: waits.max() ?? 0,
                limit: 50
            ),
            Measurement(title: "stopping this home", milliseconds: milliseconds(since: stop), limit: 1_000),
        ]
    }
}

/// An error of the benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
    let text: String

    var description: String { text }
}
