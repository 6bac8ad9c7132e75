/// Which instants show a given date and time of day at a place.
public enum LocalTimeResolution: Sendable, Hashable {
    /// One, as nearly always.
    case once(WallInstant)
    /// None: clocks are put forward over it, and this is the first instant after that.
    case skipped(to: WallInstant)
    /// Two: clocks are put back and show it again.
    case twice(first: WallInstant, second: WallInstant)
}
