internal import AccessoryModel
internal import Discovery
internal import HAPCore

/// What a server is connected to.
struct ServerPorts: Sendable {
    let store: any ServerStore
    let advertiser: any Advertiser
    let observer: (any ServerObserver)?
    let interference: (any Interference)?
    let handlers: [CharacteristicReference: CharacteristicHandler]
}
