internal import HAPCore

/// A place on Earth.
public struct GeographicPlace: Sendable, Hashable {
    /// The degrees north of the equator, from −90 to 90.
    public let latitude: Double
    /// The degrees east of Greenwich, from −180 to 180.
    public let longitude: Double

    /// Creates a place, or returns `nil` if the degrees are out of range.
    public init?(latitude: Double, longitude: Double) {
        guard -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension GeographicPlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude, longitude
    }

    /// Decodes a place, and throws an error if the degrees are out of range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try container.decode(Double.self, forKey: .latitude)
        let longitude = try container.decode(Double.self, forKey: .longitude)
        guard let place = GeographicPlace(latitude: latitude, longitude: longitude) else {
            throw container.dataCorrupted("degrees out of range")
        }
        self = place
    }
}
