package import AccessoryModel

/// What sets an automation off, or ends it.
package enum RunCause: Sendable, Hashable {
    /// A test became true for a characteristic.
    case characteristic(CharacteristicSelector, CharacteristicTest<CharacteristicValue>, value: CharacteristicValue)
    /// It was time.
    case time(due: WallInstant)
    /// The sun rose or set, with the offset.
    case sun(SunEvent, due: WallInstant)
    /// Somebody came or went.
    case presence(PresenceEvent<ObjectID<HomeUser>>, ObjectID<HomeUser>)
    /// A delay had passed.
    case delay(Duration)
}
