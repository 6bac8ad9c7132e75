public import AccessoryModel
package import Discovery
internal import HAPCore
internal import Storage

/// The parts of the environment that a server uses.
package struct ServerPorts: Sendable {
    package let store: any AccessoryServerStore
    package let advertiser: any Advertiser
    package let observer: (any ServerObserver)?
    /// The observer, if it wants to be notified of each characteristic.
    let itemObserver: (any ServerObserver)?
    package let faultInjection: (any FaultInjection)?
    /// Receives the decrypted messages, for a trace.
    package let traffic: (any TrafficObserver)?
    package internal(set) var handlers: [CharacteristicKey: CharacteristicHandler]
    /// Performs the writes to driven services; without it, they fail.
    let drivers: (any ServiceDrivers)?
    /// The keys of the characteristics that a program has declared.
    var references: [DeclarationIdentity: CharacteristicKey] = [:]
    /// The characteristics that are polled.
    var polledValues: [CharacteristicKey: PolledValue] = [:]
    /// The state that the server has opened, and that it closes when it stops.
    var ownedState: StateStore?

    package init(
        store: any AccessoryServerStore,
        advertiser: any Advertiser,
        observer: (any ServerObserver)? = nil,
        faultInjection: (any FaultInjection)? = nil,
        traffic: (any TrafficObserver)? = nil,
        handlers: [CharacteristicKey: CharacteristicHandler] = [:],
        drivers: (any ServiceDrivers)? = nil
    ) {
        self.store = store
        self.advertiser = advertiser
        self.observer = observer
        itemObserver = observer.flatMap { $0.wantsItems ? $0 : nil }
        self.faultInjection = faultInjection
        self.traffic = traffic
        self.handlers = handlers
        self.drivers = drivers
    }
}

/// The three stores of one server.
public typealias AccessoryServerStore = IdentityStore & PairingStore & AttributeStore
