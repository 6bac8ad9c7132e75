/// A sunrise or a sunset.
public enum SunEvent: String, Sendable, Hashable, CaseIterable {
    /// The upper edge of the sun appears above the horizon.
    case sunrise
    /// The upper edge of the sun disappears below the horizon.
    case sunset
}

extension SunEvent: Codable {}
