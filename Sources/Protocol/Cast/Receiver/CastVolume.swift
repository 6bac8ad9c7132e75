internal import HAPCore

/// A volume from 0 to 1.
public struct CastVolume: Sendable, Hashable {
    /// The level, from 0 to 1.
    public var level = 1.0
    /// Whether nothing is heard, whatever the level.
    public var isMuted = false

    /// Creates a volume.
    public init(level: Double = 1, isMuted: Bool = false) {
        (self.level, self.isMuted) = (level, isMuted)
    }

    /// Applies what a sender has written; members that are missing stay.
    mutating func apply(_ object: JSONObject) {
        if let level = object.number("level") { self.level = min(max(level, 0), 1) }
        if let isMuted = object.flag("muted") { self.isMuted = isMuted }
    }
}
