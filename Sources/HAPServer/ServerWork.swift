internal import AccessoryModel
internal import HAPCore

/// Something that a server must not do on its event loop, or not before what was handed on earlier is done.
enum ServerWork: Sendable {
    /// A key pair in advance, for whoever comes next to pair-setup.
    case prepareServerKey
    /// A change that a connection's pair-setup waits for, or nobody does.
    case persist(PairingChange, for: ConnectionID?)
    /// A request to `/pairings`, decided when every earlier change is on disk.
    case managePairings([UInt8], from: ConnectionID)
    /// Other accessories in place of the present ones, with what hangs on them when a program has declared it anew.
    case replaceAccessories([Accessory], of: Declaration?, CheckedContinuation<Void, any Error>)
    /// The values that have changed.
    case saveValues
    /// What the interference says of the server's place in the world.
    case adoptConditions(CheckedContinuation<Void, Never>?)
    /// The end of all pairings.
    case forgetPairings(CheckedContinuation<Void, Never>)
}
