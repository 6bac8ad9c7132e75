internal import HAPCore

/// One handler of one characteristic.
struct HandlerKind: Sendable, Hashable {
    let id: CharacteristicID
    let isWrite: Bool
}
