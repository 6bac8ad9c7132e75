internal import AccessoryModel
internal import Discovery
package import HAPServer
package import Hosting
package import Simulation
internal import Synchronization
internal import TestSupport

extension HostSettings {
    /// Servers on the loopback that are not announced, with a known setup code.
    package static var testing: HostSettings {
        var settings = HostSettings()
        settings.bindAddress = "127.0.0.1"
        settings.setupCode = Fixture.setupCode
        settings.advertise = .off
        settings.runsHome = true
        return settings
    }

    /// The same with a clock that moves only when it is advanced.
    package static var paused: HostSettings {
        var settings = HostSettings.testing
        settings.behaviorClock.pause(at: .zero)
        settings.runsScenario = true
        return settings
    }
}

extension HostedContent {
    /// Returns the Kilgo garage with a number.
    package static func garage(_ number: Int = 1) -> HostedContent {
        let garage = KilgoGarage.accessory(number: number)
        return HostedContent(
            key: garage.key,
            name: garage.key,
            category: KilgoGarage.category,
            accessories: [garage]
        )
    }
}

/// The stores of servers by their keys; a server that is added again finds its former state.
private final class InMemoryStores: Sendable {
    private let stores = Mutex<[String: InMemoryStore]>([:])

    func store(_ key: String) -> InMemoryStore {
        stores.withLock { stores in
            let store = stores[key] ?? InMemoryStore()
            stores[key] = store
            return store
        }
    }
}

extension AccessoryHost {
    /// Creates a host whose servers keep their state in memory.
    package convenience init(testing settings: HostSettings = .testing, observers: [any HostObserver] = []) {
        let stores = InMemoryStores()
        self.init(settings, observers: observers, store: { stores.store($0) })
    }

    /// Creates a host that serves a number of Kilgo garages.
    package static func garages(_ count: Int, _ settings: HostSettings = .paused) async throws -> AccessoryHost {
        let host = AccessoryHost(testing: settings)
        try await host.start((0..<count).map { .garage($0 + 1) })
        return host
    }

    /// Creates a host of servers that a test has started itself, in this order.
    package static func hosting(
        _ servers: (server: AccessoryServer, name: String, events: ServerEventForwarder)...
    ) async -> AccessoryHost {
        let host = AccessoryHost(testing: .testing)
        for entry in servers { await host.insert(entry.server, named: entry.name, entry.events) }
        return host
    }

    /// Adds a server that a test has started itself, and returns it.
    @discardableResult
    package func insert(
        _ server: AccessoryServer,
        named name: String,
        _ events: ServerEventForwarder
    ) async -> HostedServer {
        let id = (servers.last?.id ?? -1) + 1
        let hosted = await HostedServer(
            HostedServer.Identity(id: id, key: name, name: name),
            server,
            serving: HostedContent(key: name, name: name, category: .other, accessories: []),
            events: events,
            faults: FaultInjector()
        )
        _ = insert([hosted])
        return hosted
    }

    /// Performs an action as a user writes it.
    @discardableResult
    package func perform(written action: WrittenAction) async throws(SimulationError) -> String {
        try await perform(names.resolve(action))
    }
}
