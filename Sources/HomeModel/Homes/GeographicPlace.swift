/// A place on the earth.
public struct GeographicPlace: Sendable, Hashable {
    /// Degrees north of the equator: −90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich: −180 to 180.
    public let longitude: Double

    /// Creates a place; `nil` for degrees out of range.
    public init?(latitude: Double, longitude: Double) {
        guard -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}
