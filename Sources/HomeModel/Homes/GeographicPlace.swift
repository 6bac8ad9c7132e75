internal import HAPCore

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

extension GeographicPlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude, longitude
    }

    /// Decodes a place; throws for degrees out of range.
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
