import AccessoryModel

extension CharacteristicDefinition {
    /// The services that always have it.
    var requiredBy: [ServiceDefinition] {
        Catalogue.services.filter { $0.required.contains(type) }
    }

    /// The services that may have it.
    var optionalIn: [ServiceDefinition] {
        Catalogue.services.filter { $0.optional.contains(type) }
    }
}

extension AdminOnlyAccess {
    /// The words for it in definitions.
    var names: [String] {
        [(AdminOnlyAccess.read, "read"), (.write, "write"), (.notify, "notify")].filter { contains($0.0) }.map(\.1)
    }
}
