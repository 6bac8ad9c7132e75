import AccessoryFiles
import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import HomeRuntime
import Logging
import Simulation
import SimulationRuntime
import Storage
import WebConsole

/// The servers of this process, which start and stop together.
struct ServerFleet: Sendable {
    /// The servers in the order in which the user named them.
    let servers: [RunningServer]

    /// The maximum number of advertised servers.
    ///
    /// Each one holds a connection to the message bus, which allows 256 for one user.
    static let maximumAdvertised = 200
    /// The number of servers that start at the same time.
    private static let startConcurrency = 8
    /// The number of servers that stop at the same time.
    private static let stopConcurrency = 32

    /// Starts a server for each accessory, and returns when all of them listen.
    ///
    /// When the start is canceled, it returns the servers that listen by then.
    ///
    /// - Throws: ``CommandFailure`` of the first server that could not start, after the others are stopped.
    static func start(
        _ accessories: [ServedAccessory],
        _ settings: ServeSettings,
        store: StateStore,
        printer: LinePrinter,
        journal: EventJournal,
        logger: Logger? = nil,
        traffic: TrafficRecorder
    ) async throws(CommandFailure) -> ServerFleet {
        let discovery = DiscoveryQueue()
        let isAlone = accessories.count == 1
        var started: [(Int, RunningServer)] = []
        var failure: CommandFailure?
        let clock = ContinuousClock()
        var progress = StartProgress(of: accessories.count, at: clock.now)
        await withTaskGroup(of: (Int, Result<RunningServer, CommandFailure>).self) { group in
            var next = 0
            func startNext() {
                guard next < accessories.count, failure == nil, !Task.isCancelled else { return }
                let (index, served) = (next, accessories[next])
                next += 1
                let isAdvertised = settings.advertise != .off && index < maximumAdvertised
                let advertiser: any Advertiser = isAdvertised ? DNSSDAdvertiser(on: discovery) : NoOpAdvertiser()
                let log = EventLog(
                    on: printer,
                    title: isAlone ? nil : served.name,
                    mustAdvertise: settings.advertise == .on
                )
                group.addTask {
                    await (index, start(served, at: index, settings, store, advertiser, log, journal, logger, traffic))
                }
            }
            for _ in 0..<startConcurrency {
                startNext()
            }
            for await (index, result) in group {
                switch result {
                case .success(let server): started.append((index, server))
                case .failure(let error): failure = failure ?? error
                }
                if let line = progress.progressText(started: started.count, at: clock.now) {
                    printer.printLine(line)
                }
                startNext()
            }
        }
        let fleet = ServerFleet(servers: started.sorted { $0.0 < $1.0 }.map(\.1))
        if let failure {
            await fleet.stop()
            throw failure
        }
        return fleet
    }

    /// Returns the servers for scenarios and the prompt, with the home that runs on them.
    func simulation(_ home: SimulatedHome? = nil) async -> SimulationServers {
        await SimulationServers(servers.map(\.simulationServer), home: home)
    }

    func stop() async {
        await withDiscardingTaskGroup { group in
            let stride = Self.stopConcurrency
            for first in 0..<min(stride, servers.count) {
                group.addTask {
                    for index in Swift.stride(from: first, to: servers.count, by: stride) {
                        await servers[index].server.stop()
                    }
                }
            }
        }
        for server in servers {
            server.log.flush()
        }
    }

    private static func start(
        _ served: ServedAccessory,
        at index: Int,
        _ settings: ServeSettings,
        _ store: StateStore,
        _ advertiser: any Advertiser,
        _ log: EventLog,
        _ journal: EventJournal,
        _ logger: Logger?,
        _ traffic: TrafficRecorder
    ) async -> Result<RunningServer, CommandFailure> {
        let events = ServerEventForwarder(wantsItems: settings.runsScenario)
        let isRead = settings.homeFile != nil || settings.runsScenario
        let console = ConsoleObserver(of: index, journal)
        let observer = ObserverFanOut(
            [console, log] + (isRead ? [events] : [])
                + (logger.map { [LoggingObserver($0, server: served.name)] } ?? [])
        )
        let seed = SeededRandom.seed(settings.seed ?? 0, for: served.key)
        let injector = FaultInjector(seed: seed, observer: observer)
        do throws(ServerError) {
            let server = try await AccessoryServer.start(
                configuration(of: served, at: index, settings),
                accessories: served.accessories,
                ports: ServerPorts(
                    store: store.server(key: served.key),
                    advertiser: advertiser,
                    observer: observer,
                    faultInjection: injector,
                    traffic: traffic.observer(of: served.key)
                )
            )
            let running = RunningServer(
                accessory: served,
                server: server,
                information: await server.information,
                advertiser: advertiser,
                log: log,
                console: console,
                events: events,
                injector: injector
            )
            traffic.recordAccessories(of: served.key, await server.attributes)
            await running.nameCharacteristics(of: served.accessories)
            return .success(running)
        } catch {
            return .failure(CommandFailure(error))
        }
    }
    private static func configuration(
        of served: ServedAccessory,
        at index: Int,
        _ settings: ServeSettings
    ) -> ServerConfiguration {
        let document = served.file?.document
        var configuration = ServerConfiguration(
            name: served.name,
            category: served.category,
            bindAddress: settings.bindAddress,
            port: settings.port(ofServer: index),
            setupCode: settings.setupCode ?? document?.setupCode,
            isStrict: settings.isStrict
        )
        configuration.initialDeviceID = document?.deviceID
        configuration.initialSetupID = document?.setupID
        configuration.initialConfigurationNumber = document?.configurationNumber
        configuration.behaviorClock = settings.behaviorClock
        configuration.servesVerbatim = document?.isVerbatim ?? false
        return configuration
    }
}

/// The progress of a start of many servers, reported once a second.
struct StartProgress: Sendable {
    private let total: Int
    private var lastReport: ContinuousClock.Instant

    init(of total: Int, at now: ContinuousClock.Instant) {
        self.total = total
        lastReport = now
    }

    /// Returns the line to print, or `nil` if the last one was less than a second ago or all servers listen.
    mutating func progressText(started: Int, at now: ContinuousClock.Instant) -> String? {
        guard started < total, lastReport.duration(to: now) >= .seconds(1) else { return nil }
        lastReport = now
        return "Starting: \(started) of \(total) servers listen."
    }
}
