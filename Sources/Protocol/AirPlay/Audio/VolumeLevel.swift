/// The volume that a sender sets.
///
/// Senders give decibels from −30 to 0 and move a slider linearly in them; −144 means that the sound is off.
package struct VolumeLevel: Sendable, Hashable {
    /// The decibels of the range from 0 % to 100 %.
    package static let range = -30.0...0.0
    /// The number of decibels that senders send for silence.
    package static let silence = -144.0

    /// The volume in dB, one of ``range``, or ``silence``.
    package let decibels: Double

    /// Creates a volume from the number of a sender.
    ///
    /// A number of at most ``silence`` is silence; another one is clamped to ``range``.
    ///
    /// - Returns: `nil` if the number is not finite or its magnitude is over 1,000.
    package init?(decibels: Double) {
        guard decibels.isFinite, decibels.magnitude <= 1_000 else { return nil }
        guard decibels > Self.silence else {
            self.decibels = Self.silence
            return
        }
        self.decibels = min(max(decibels, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Creates a volume from percent, clamped to the range from 0 to 100.
    package init(percent: Int, isMuted: Bool = false) {
        let clamped = Double(min(max(percent, 0), 100))
        decibels = isMuted ? Self.silence : Self.range.lowerBound + clamped * 0.3
    }

    /// Whether the sound is off.
    package var isMuted: Bool { decibels <= Self.silence }

    /// The volume in percent from 0 to 100, rounded; 0 if the sound is off.
    package var percent: Int {
        isMuted ? 0 : Int(((decibels - Self.range.lowerBound) / 0.3).rounded())
    }
}
