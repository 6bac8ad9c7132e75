internal import HAPCore

/// A volume from 0 to 1.
package struct CastVolume: Sendable, Hashable {
    package var level = 1.0
    package var isMuted = false

    package init(level: Double = 1, isMuted: Bool = false) {
        (self.level, self.isMuted) = (level, isMuted)
    }

    /// Applies what a sender has written; members that are missing stay.
    mutating func apply(_ object: JSONObject) {
        if let level = object.number("level") { self.level = min(max(level, 0), 1) }
        if let isMuted = object.flag("muted") { self.isMuted = isMuted }
    }
}

/// Something that has happened in a receiver, for a log and for tests.
package struct CastEvent: Sendable, Hashable {
    /// The type of a message, such as `LOAD`, or of a change, such as `AD_STARTED`.
    package let name: String
    package let details: [String: String]

    package init(_ name: String, _ details: [String: String] = [:]) {
        (self.name, self.details) = (name, details)
    }
}
