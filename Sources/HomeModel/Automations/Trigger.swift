/// What an automation waits for.
///
/// Of clocks that are put forward or back: a time that they skip is when they have skipped it, a time that they show twice is
/// the first of both.
public enum Trigger: Sendable, Hashable {
    /// A test becomes true for a characteristic.
    ///
    /// The edge counts, not the level, and the first value ever seen is no edge. A value that was lost, since the
    /// accessory could not be reached, and is back is compared with the last one that was known.
    case characteristic(CharacteristicSelector, CharacteristicTest)
    /// A time of day comes; ``Recurrence/daily`` or ``Recurrence/weekly(_:)``.
    case timeOfDay(CivilTime, Recurrence)
    /// A date and a time come, and again as the recurrence says.
    case calendar(CivilDateTime, Recurrence)
    /// The sun rises or sets, or will have in as long as the offset is negative; within 12 hours.
    /// ``Recurrence/daily`` or ``Recurrence/weekly(_:)`` by the day of the sun's event.
    case sun(SunEvent, offset: Duration, Recurrence)
    /// Somebody comes or goes.
    case presence(PresenceEvent)
    /// So much time has passed, again and again: since a moment, or since the automation is there. 10 s to 366 days.
    case interval(Duration, from: CivilDateTime?)
}
