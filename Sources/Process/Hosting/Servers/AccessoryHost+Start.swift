internal import AccessoryModel
internal import AsyncPrimitives
internal import Discovery
internal import HAPCore
internal import HAPServer
internal import HomeRuntime
internal import Simulation

extension AccessoryHost {
    /// The number of servers that start at the same time.
    private static let startConcurrency = 8
    /// The number of further ports that are tried for a server that is added while others run.
    private static let alternativePortCount: UInt16 = 1_000

    /// Starts a server for each content, and returns when all of them listen.
    ///
    /// When the start is canceled, it returns after the servers that are being started; the others are not started.
    ///
    /// - Throws: ``HostError`` of the first server that could not start, after the others are stopped.
    package func start(_ contents: [HostedContent]) async throws(HostError) {
        await turns.acquire()
        defer { turns.release() }
        var started: [HostedServer] = []
        var failure: HostError?
        let clock = ContinuousClock()
        var progress = StartProgress(of: contents.count, at: clock.now)
        let ids = reserveIDs(contents.count)
        await withTaskGroup(of: Result<HostedServer, HostError>.self) { group in
            var next = 0
            func startNext() {
                guard next < contents.count, failure == nil, !Task.isCancelled else { return }
                let (offset, content) = (next, contents[next])
                next += 1
                group.addTask { await self.start(content, id: ids.lowerBound + offset, offset: offset) }
            }
            for _ in 0..<Self.startConcurrency {
                startNext()
            }
            for await result in group {
                switch result {
                case .success(let server): started.append(server)
                case .failure(let error): failure = failure ?? error
                }
                if let line = progress.progressText(started: started.count, at: clock.now) {
                    report(.line(line))
                }
                startNext()
            }
        }
        guard failure != nil || !insert(started) else { return }
        await Self.forEach(of: started) { server in
            await server.stop()
            await server.notify(.removed)
        }
        if let failure { throw failure }
    }

    /// Starts a server, and returns when it listens.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - offset: The number that is added to the first port.
    ///   - clock: The clock of the devices, or `nil` for that of the settings.
    ///   - isAdded: Whether other servers run already.
    func start(
        _ content: HostedContent,
        id: Int,
        offset: Int,
        clock: BehaviorClock? = nil,
        isAdded: Bool = false
    ) async -> Result<HostedServer, HostError> {
        let identity = HostedServer.Identity(id: id, key: content.key, name: content.name, isAdded: isAdded)
        var configuration = settings.configuration(of: content, offset: offset, clock: clock)
        // The user chose the ports of the first servers only.
        configuration.alternativePortCount = isAdded ? Self.alternativePortCount : 0
        let advertiser = advertiser(at: offset, configuration.socketName)
        let observers = observers.compactMap { $0.observer(of: identity) }
        let events = ServerEventForwarder(wantsItems: settings.runsScenario)
        let isRead = settings.runsHome || settings.runsScenario
        let fanOut = ObserverFanOut(observers.compactMap(\.events) + (isRead ? [events] : []))
        let injector = FaultInjector(
            seed: SeededRandom.seed(settings.seed ?? 0, for: content.key),
            observer: fanOut
        )
        let store = store(content.key)
        let drivers = ServerDrivers(
            settings.drivers,
            allowsCommands: settings.allowsCommands,
            announcer: settings.advertise == .off ? nil : announcer,
            recordings: settings.recordings,
            store: store,
            observer: fanOut,
            traffic: observers.lazy.compactMap(\.driverTraffic).first,
            faults: injector
        )
        do throws(ServerError) {
            let server = try await AccessoryServer.start(
                configuration,
                accessories: content.accessories,
                prepared: content.database,
                ports: ServerPorts(
                    store: store,
                    advertiser: advertiser,
                    observer: fanOut,
                    faultInjection: injector,
                    traffic: observers.lazy.compactMap(\.traffic).first,
                    drivers: drivers
                ),
                on: loop ?? ServerLoop()
            )
            let hosted = await HostedServer(
                identity,
                server,
                serving: content,
                advertiser: advertiser,
                events: events,
                faults: injector,
                drivers: drivers,
                offset: offset,
                observers: observers
            )
            await hosted.notify(.started(hosted))
            await drivers.update(to: content, on: server)
            return .success(hosted)
        } catch {
            for observer in observers { await observer.observe(.removed) }
            return .failure(HostError(error))
        }
    }

    /// Returns the advertiser of a server.
    ///
    /// - Parameter socketName: The name of its socket, if it listens within the process.
    private func advertiser(at offset: Int, _ socketName: String?) -> any Advertiser {
        if let socketName, let inMemory = settings.inMemoryDiscovery { return inMemory.advertiser(at: socketName) }
        let isAdvertised = settings.advertise != .off && offset < HostSettings.maximumAdvertised
        return isAdvertised ? DNSSDAdvertiser(on: discovery) : NoOpAdvertiser()
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
