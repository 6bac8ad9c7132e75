/// What the sun does twice a day, where it does.
public enum SunEvent: String, Sendable, Hashable, CaseIterable {
    /// Its upper edge comes over the horizon.
    case sunrise
    /// Its upper edge goes under the horizon.
    case sunset
}

extension SunEvent: Codable {}
