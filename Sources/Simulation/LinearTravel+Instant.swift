internal import HAPCore

extension LinearTravel {
    /// The first instant at which it is at or beyond a position on its way; `nil` for one that it does not pass.
    func instant(ofReaching position: Double) -> MonotonicInstant? {
        let share = (position - origin) / (destination - origin)
        guard share >= 0, share <= 1 else { return nil }
        let whole = start.nanoseconds(to: end)
        let ahead = (share * Double(whole)).rounded(.up)
        return start.after(nanoseconds: min(UInt64(exactly: ahead) ?? whole, whole))
    }
}
