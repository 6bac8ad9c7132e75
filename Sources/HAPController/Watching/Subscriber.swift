internal import AccessoryModel
internal import HAPCore

/// One that watches characteristics of an accessory.
struct Subscriber {
    /// What it watches.
    let ids: Set<CharacteristicID>
    /// Where it takes its changes.
    let mailbox: ChangeMailbox
    /// What it was told last.
    var values: [CharacteristicID: CharacteristicValue?] = [:]
    /// Whether it has once been told of a session.
    var hasBegun = false
}
