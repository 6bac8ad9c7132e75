/// Where a time window begins or ends on a day.
public enum TimeBound: Sendable, Hashable {
    /// At a time of day.
    case clock(CivilTime)
    /// When the sun rises or sets, or so much later; earlier when negative. Within 12 hours.
    case sun(SunEvent, offset: Duration)
}
