internal import HAPCore

extension MonotonicInstant {
    /// The nanoseconds from this instant to `other`, 0 when that lies before: as unsigned they always fit.
    func nanoseconds(to other: MonotonicInstant) -> UInt64 {
        other > self ? UInt64(bitPattern: other.nanoseconds &- nanoseconds) : 0
    }

    /// The instant that lies this far ahead; `nil` when the clock does not go so far.
    func after(nanoseconds ahead: UInt64) -> MonotonicInstant? {
        let left = UInt64(bitPattern: Int64.max &- nanoseconds)
        guard ahead <= left else { return nil }
        return MonotonicInstant(nanoseconds: Int64(bitPattern: UInt64(bitPattern: nanoseconds) &+ ahead))
    }

    /// The earliest of the instants that there are; `nil` when there is none.
    static func earliest(
        _ first: MonotonicInstant?,
        _ second: MonotonicInstant?,
        _ third: MonotonicInstant? = nil
    ) -> MonotonicInstant? {
        earlier(earlier(first, second), third)
    }

    private static func earlier(_ first: MonotonicInstant?, _ second: MonotonicInstant?) -> MonotonicInstant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}
