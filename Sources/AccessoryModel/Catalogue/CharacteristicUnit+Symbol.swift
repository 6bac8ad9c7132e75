extension CharacteristicUnit {
    /// The unit as people write it.
    public var symbol: String {
        switch self {
        case .celsius: "°C"
        case .percentage: "%"
        case .arcdegrees: "°"
        case .lux: "lx"
        case .seconds: "s"
        }
    }
}
