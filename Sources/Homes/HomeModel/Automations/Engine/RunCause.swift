package import AccessoryModel

/// The cause of a run or of an end.
package enum RunCause: Sendable, Hashable {
    /// A test became true for a characteristic.
    case characteristic(CharacteristicSelector, CharacteristicTest<CharacteristicValue>, value: CharacteristicValue)
    /// A time was reached.
    case time(due: WallInstant)
    /// The time of sunrise or sunset, plus an offset, was reached.
    case sun(SunEvent, offset: Duration, due: WallInstant)
    /// A user arrived or left.
    case presence(PresenceEvent<ObjectID<HomeUser>>, ObjectID<HomeUser>)
    /// A delay or an interval passed.
    case delay(Duration)
}
