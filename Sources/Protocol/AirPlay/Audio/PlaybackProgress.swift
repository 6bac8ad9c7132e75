/// The position of a track in the time of RTP, as `progress: start/now/end` gives it.
///
/// The times are numbers of frames that begin again after 32 bits.
package struct PlaybackProgress: Sendable, Hashable {
    /// The time at which the track has begun.
    package let start: UInt32
    /// The present time.
    package let now: UInt32
    /// The time at which the track ends; equal to ``start`` if the track has no end.
    package let end: UInt32

    /// Creates a position from three times.
    package init(start: UInt32, now: UInt32, end: UInt32) {
        (self.start, self.now, self.end) = (start, now, end)
    }

    /// Reads three decimal numbers with slashes between them.
    ///
    /// Some senders count on after 32 bits; the higher bits are then ignored.
    ///
    /// - Throws: ``AirPlayError`` unless there are three numbers of at most 12 digits.
    package init(parsing text: some StringProtocol) throws(AirPlayError) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("A progress does not have the form start/now/end.") }
        (start, now, end) = (try Self.time(parts[0]), try Self.time(parts[1]), try Self.time(parts[2]))
    }

    private static func time(_ part: some StringProtocol) throws(AirPlayError) -> UInt32 {
        let digits = part.trimmed
        guard digits.utf8.count <= 12, let number = digits.decimalInteger else {
            throw .malformed("A time of a progress is not a number of at most 12 digits.")
        }
        return UInt32(truncatingIfNeeded: number)
    }

    /// Returns the length of the track at a sample rate in Hz; `nil` if the track has no end.
    package func duration(sampleRate: Int) -> Duration? {
        end == start ? nil : Self.duration(of: end &- start, sampleRate)
    }

    /// Returns the time from the begin of the track at a sample rate in Hz, at most the length of the track.
    ///
    /// Senders may give a present time before the begin, because the audio is played later: the position is then 0.
    package func position(sampleRate: Int) -> Duration {
        let (elapsed, length) = (now &- start, end &- start)
        if length != 0, elapsed <= length { return Self.duration(of: elapsed, sampleRate) }
        // More than half of the range is a time before the begin.
        guard elapsed <= UInt32.max / 2 else { return .zero }
        return Self.duration(of: length == 0 ? elapsed : length, sampleRate)
    }

    private static func duration(of frames: UInt32, _ sampleRate: Int) -> Duration {
        .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(max(sampleRate, 1)))
    }
}
