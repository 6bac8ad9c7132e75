public import AccessoryModel
public import HAPCore

/// What happened to an accessory that is watched.
public enum AccessoryChange: Sendable, Hashable {
    /// A characteristic has this value now; `nil` where the accessory sent `null`.
    case value(CharacteristicID, CharacteristicValue?)
    /// A session is open, and what is watched is subscribed to, but for what is told as refused next.
    case connected
    /// The accessory does not tell in this session when this characteristic changes; the next session asks again.
    ///
    /// The result carries its code.
    case refused(CharacteristicResult)
    /// The session has ended, or could not be opened again for this reason; another one is being opened.
    case disconnected(ControllerError)
    /// The accessory's database has changed since it was read.
    case databaseChanged
}
