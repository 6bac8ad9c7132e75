internal import AccessoryFiles
package import AccessoryModel
package import HAPCore
package import HAPServer
internal import Simulation
internal import Synchronization

/// The drivers of the accessories of one server.
package final class ServerDrivers: ServiceDrivers {
    private let kinds: @Sendable () -> [DriverKind]
    private let store: (any DriverDataStore)?
    private let observer: any ServerObserver
    private let traffic: (any DriverTrafficObserver)?
    private let faults: FaultInjector
    private let state = Mutex(State())

    private struct State {
        var drivers: [String: HostedDriver] = [:]
        /// Whether no more drivers start.
        var isStopped = false
    }

    private let allowsCommands: Bool
    private let announcer: DriverAnnouncer?
    private let recordings: String?

    /// - Parameters:
    ///   - allowsCommands: Whether any file may run programs.
    ///   - announcer: Announces services; `nil` if nothing is announced.
    ///   - recordings: The folder in which drivers store what they record; `nil` for none.
    init(
        _ kinds: @escaping @Sendable () -> [DriverKind],
        allowsCommands: Bool = false,
        announcer: DriverAnnouncer? = nil,
        recordings: String? = nil,
        store: (any DriverDataStore)?,
        observer: any ServerObserver,
        traffic: (any DriverTrafficObserver)? = nil,
        faults: FaultInjector
    ) {
        (self.announcer, self.traffic, self.recordings) = (announcer, traffic, recordings)
        (self.kinds, self.allowsCommands) = (kinds, allowsCommands)
        (self.store, self.observer, self.faults) = (store, observer, faults)
    }

    /// The drivers by the keys of their accessories.
    package var all: [String: HostedDriver] { state.withLock(\.drivers) }

    /// Returns the driver of an accessory.
    func driver(of aid: AccessoryID) -> HostedDriver? { all.values.first { $0.aid == aid } }

    /// Starts and stops drivers so that they are those of a content, which the server serves already.
    ///
    /// A driver whose parameters are the same goes on. A former one has ended before its successor starts.
    func update(to content: HostedContent, on server: AccessoryServer) async {
        let running = all
        guard !running.isEmpty || !content.drivers.isEmpty else { return }
        var kept: [String: HostedDriver] = [:]
        await withDiscardingTaskGroup { group in
            for (key, driver) in running {
                if driver.setting == content.drivers[key] {
                    kept[key] = driver
                } else {
                    group.addTask { await driver.stop() }
                }
            }
        }
        for accessory in content.accessories {
            guard let setting = content.drivers[accessory.key] else { continue }
            let driven = DrivenAccessory(accessory, folder: content.file.map { ".".resolved(relativeTo: $0.path) })
            if let driver = kept[accessory.key] {
                driver.accessoryChanged(to: driven)
                continue
            }
            guard let store, let kind = kinds().first(where: { $0.definition.name == setting.name }),
                let aid = await server.accessoryID(ofKey: accessory.key)
            else { continue }
            let owner = DriverDataOwner(accessory: accessory.key, driver: setting.name)
            let driver = HostedDriver(
                kind,
                setting,
                of: driven,
                aid,
                on: server,
                store: DriverStore(data: store, owner: owner),
                observer: observer,
                traffic: traffic,
                announcer: announcer,
                recordings: recordings,
                hasFaults: { [faults] in faults.isActive },
                takesFault: { [faults, weak server] name, aid in
                    guard faults.isActive, let server else { return nil }
                    return faults.takes(driverFault: name, of: aid, now: await server.behaviorTime)
                }
            )
            kept[accessory.key] = driver
            let isStopped = state.withLock { state in
                if !state.isStopped { state.drivers[accessory.key] = driver }
                return state.isStopped
            }
            guard !isStopped else { return }
            if kind.definition.runsPrograms, !allowsCommands, !content.mayRunPrograms(of: setting) {
                driver.refuse(HostedContent.commandRefusal)
            } else {
                driver.start()
            }
        }
        state.withLock { state in
            if !state.isStopped { state.drivers = kept }
        }
    }

    /// Cancels all drivers.
    func cancel() {
        for driver in all.values { driver.cancel() }
    }

    /// Cancels all drivers, and returns when they have ended or were abandoned; no more drivers start.
    func stop() async {
        let stopped = state.withLock { state in
            defer { state = State(isStopped: true) }
            return state.drivers
        }
        await withDiscardingTaskGroup { group in
            for driver in stopped.values { group.addTask { await driver.stop() } }
        }
    }

    package func write(_ request: DriverWriteRequest) async -> [DriverWriteResult] {
        await state.withLock { $0.drivers[request.accessory] }?.write(request) ?? []
    }

    package func perform(_ effects: [DeviceEffect], ofAccessory key: String, at now: MonotonicInstant) {
        state.withLock { $0.drivers[key] }?.perform(effects, at: now)
    }
}
