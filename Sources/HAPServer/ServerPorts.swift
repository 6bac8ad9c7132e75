package import Discovery

/// What a server is connected to.
package struct ServerPorts: Sendable {
    package let store: any AccessoryServerStore
    package let advertiser: any Advertiser
    package let observer: (any ServerObserver)?
    package let interference: (any Interference)?
    package let handlers: [CharacteristicReference: CharacteristicHandler]

    package init(
        store: any AccessoryServerStore,
        advertiser: any Advertiser,
        observer: (any ServerObserver)? = nil,
        interference: (any Interference)? = nil,
        handlers: [CharacteristicReference: CharacteristicHandler] = [:]
    ) {
        self.store = store
        self.advertiser = advertiser
        self.observer = observer
        self.interference = interference
        self.handlers = handlers
    }
}
