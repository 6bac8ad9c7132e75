/// The unit of a numeric characteristic.
///
/// HAP: §11.4
public enum CharacteristicUnit: String, Sendable, Hashable, CaseIterable {
    /// Degrees Celsius.
    case celsius
    /// Hundredths.
    case percentage
    /// Degrees of arc.
    case arcdegrees
    /// Lux.
    case lux
    /// Seconds.
    case seconds
}
