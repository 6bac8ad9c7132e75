internal import AccessoryModel
package import Discovery
package import HAPServer
internal import HomeRuntime

/// One server of a host.
///
/// A value: it does not change when the server serves something else; the host then has a newer one with the same number.
package struct HostedServer: Sendable, Identifiable {
    /// What is known of a server before it starts.
    package struct Identity: Sendable, Hashable {
        /// The number of the server, which no other server of the host ever has.
        package let id: Int
        /// The key under which the state of the server is stored.
        package let key: String
        package let name: String
        /// Whether it is added while others run.
        package let isAdded: Bool

        package init(id: Int, key: String, name: String, isAdded: Bool = false) {
            (self.id, self.key, self.name, self.isAdded) = (id, key, name, isAdded)
        }
    }

    package let identity: Identity
    package let server: AccessoryServer
    /// How the server was announced and paired when it started.
    package let information: ServerInformation
    package let advertiser: any Advertiser
    /// What it serves.
    package internal(set) var content: HostedContent
    /// The ids of its characteristics.
    package internal(set) var ids: [CharacteristicKey: CharacteristicID]
    /// The names that describe its events.
    package internal(set) var eventNames: ServerEventNames
    /// Forwards its events to homes and scenarios.
    package let events: ServerEventForwarder
    /// The control of its faults.
    package let faults: ServerFaults
    /// The drivers of its accessories.
    package let drivers: ServerDrivers
    /// The number that is added to the first port, which no other server has at the same time.
    ///
    /// If another program listens on that port, an added server uses a later one.
    let offset: Int
    let observers: [any HostedServerObserver]

    package var id: Int { identity.id }
    package var key: String { identity.key }
    package var name: String { identity.name }

    /// Creates a hosted server from one that listens.
    ///
    /// - Parameters:
    ///   - events: The forwarder with which the server was started as its observer.
    ///   - faults: The fault injection with which the server was started.
    package init(
        _ identity: Identity,
        _ server: AccessoryServer,
        serving content: HostedContent,
        advertiser: any Advertiser = NoOpAdvertiser(),
        events: ServerEventForwarder,
        faults: FaultInjector,
        drivers: ServerDrivers? = nil,
        offset: Int = 0,
        observers: [any HostedServerObserver] = []
    ) async {
        self.identity = identity
        self.server = server
        self.content = content
        self.advertiser = advertiser
        self.events = events
        self.faults = ServerFaults(of: server, by: faults)
        self.drivers = drivers ?? ServerDrivers({ [] }, store: nil, observer: events, faults: faults)
        self.offset = offset
        self.observers = observers
        information = await server.information
        ids = await server.characteristicIDs()
        eventNames = ServerEventNames(content.accessories, ids)
    }

    /// Replaces what the server serves, once it serves it.
    mutating func setContent(_ content: HostedContent) async {
        self.content = content
        ids = await server.characteristicIDs()
        eventNames = ServerEventNames(content.accessories, ids)
        await drivers.update(to: content, on: server)
    }

    /// Stops the server when the pending requests are answered, and then the drivers.
    func stop() async {
        await server.stop()
        await drivers.stop()
    }

    func notify(_ change: HostedServerChange) async {
        for observer in observers { await observer.observe(change) }
    }
}
