import AccessoryFiles
import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import HomeRuntime
import Hosting
import Logging
import Simulation
import Storage
import WebConsole

/// Starts the servers of this process, with everything that they share.
struct ServerStarter: Sendable {
    let settings: ServeSettings
    let store: StateStore
    let printer: LinePrinter
    let journal: EventJournal
    var logger: Logger?
    let traffic: TrafficRecorder
    /// Whether there is only one server, so that the lines of the log need no name.
    var isAlone = false
    /// The event loop of all servers; `nil` if each takes the next one of the process.
    private let loop: ServerLoop?
    private let discovery = DiscoveryQueue()
    /// The number of further ports that are tried for a server that is added while others run.
    private static let alternativePortCount: UInt16 = 1_000

    init(
        _ settings: ServeSettings,
        store: StateStore,
        printer: LinePrinter,
        journal: EventJournal,
        logger: Logger? = nil,
        traffic: TrafficRecorder = TrafficRecorder(),
        isAlone: Bool = false,
        on loop: ServerLoop? = nil
    ) {
        self.settings = settings
        self.store = store
        self.printer = printer
        self.journal = journal
        self.logger = logger
        self.traffic = traffic
        self.isAlone = isAlone
        self.loop = loop
    }

    /// Starts a server, and returns when it listens.
    ///
    /// - Parameters:
    ///   - served: What it serves.
    ///   - place: Its numbers.
    ///   - clock: The clock of the devices, or `nil` for that of the settings.
    ///   - isAdded: Whether other servers run already.
    func start(
        _ served: ServedAccessory,
        _ place: ServerPlace,
        clock: BehaviorClock? = nil,
        isAdded: Bool = false
    ) async -> Result<RunningServer, CommandFailure> {
        let isAdvertised = settings.advertise != .off && place.offset < ServerFleet.maximumAdvertised
        let advertiser: any Advertiser = isAdvertised ? DNSSDAdvertiser(on: discovery) : NoOpAdvertiser()
        let log = EventLog(
            on: printer,
            title: isAlone ? nil : served.name,
            mustAdvertise: settings.advertise == .on && !isAdded
        )
        let events = ServerEventForwarder(wantsItems: settings.runsScenario)
        let isRead = settings.homeFile != nil || settings.runsScenario
        let console = ConsoleObserver(of: place.index, named: served.name, journal)
        let observer = ObserverFanOut(
            [console, log] + (isRead ? [events] : [])
                + (logger.map { [LoggingObserver($0, server: served.name)] } ?? [])
        )
        let seed = SeededRandom.seed(settings.seed ?? 0, for: served.key)
        let injector = FaultInjector(seed: seed, observer: observer)
        do throws(ServerError) {
            let server = try await AccessoryServer.start(
                configuration(of: served, at: place.offset, clock, isAdded: isAdded),
                accessories: served.accessories,
                prepared: served.database,
                ports: ServerPorts(
                    store: store.server(key: served.key),
                    advertiser: advertiser,
                    observer: observer,
                    faultInjection: injector,
                    traffic: traffic.observer(of: served.key)
                ),
                on: loop ?? ServerLoop()
            )
            let running = RunningServer(
                place: place,
                accessory: served,
                server: server,
                information: await server.information,
                advertiser: advertiser,
                log: log,
                console: console,
                events: events,
                injector: injector,
                traffic: traffic
            )
            traffic.recordAccessories(of: served.key, await server.attributes)
            await running.nameCharacteristics(of: served.accessories)
            return .success(running)
        } catch {
            return .failure(CommandFailure(error))
        }
    }

    private func configuration(
        of served: ServedAccessory,
        at offset: Int,
        _ clock: BehaviorClock?,
        isAdded: Bool
    ) -> ServerConfiguration {
        let document = served.file?.document
        var configuration = ServerConfiguration(
            name: served.name,
            category: served.category,
            bindAddress: settings.bindAddress,
            port: settings.port(ofServer: offset),
            setupCode: settings.setupCode ?? document?.setupCode,
            isStrict: settings.isStrict
        )
        // The user chose the ports of the first servers only.
        configuration.alternativePortCount = isAdded ? Self.alternativePortCount : 0
        configuration.initialDeviceID = document?.deviceID
        configuration.initialSetupID = document?.setupID
        configuration.initialConfigurationNumber = document?.configurationNumber
        configuration.behaviorClock = clock ?? settings.behaviorClock
        configuration.servesVerbatim = document?.isVerbatim ?? false
        return configuration
    }
}
