/// The instants with a given local date and time at a place.
public enum LocalTimeResolution: Sendable, Hashable {
    /// One instant, as is nearly always the case.
    case once(WallInstant)
    /// No instant, because clocks skip the time; this is the first instant after the gap.
    case skipped(to: WallInstant)
    /// Two instants, because clocks are set back and show the time again.
    case twice(first: WallInstant, second: WallInstant)
}
