public import HAPCore

/// The catalog's definition of a service type.
public struct ServiceDefinition: Sendable, Hashable {
    /// The display name, such as `Garage Door Opener`.
    public let name: String
    /// The name in files and in Swift, such as `GarageDoorOpener`.
    public let id: String
    /// Other names of the type.
    public let aliases: [String]
    /// The type.
    public let type: ServiceType
    /// The characteristics that a service of this type must have.
    public let required: [CharacteristicType]
    /// The characteristics that a service of this type may have.
    public let optional: [CharacteristicType]

    /// Creates a definition.
    public init(
        name: String,
        id: String,
        aliases: [String] = [],
        type: ServiceType,
        required: [CharacteristicType],
        optional: [CharacteristicType]
    ) {
        self.name = name
        self.id = id
        self.aliases = aliases
        self.type = type
        self.required = required
        self.optional = optional
    }
}

/// The type of a service, which says what the service does.
///
/// It is independent of the accessory.
public struct ServiceType: Sendable, Hashable {
    /// The UUID that identifies the type.
    public let uuid: HAPUUID

    /// Creates a vendor's type from its UUID.
    public init(_ uuid: HAPUUID) {
        self.uuid = uuid
    }

    /// Creates an Apple-defined type from its short number.
    public init(apple short: UInt32) {
        uuid = HAPUUID(apple: short)
    }
}

extension ServiceType: CustomStringConvertible {
    /// The name in the catalog, or the UUID if the type is not in the catalog.
    public var description: String {
        Catalog.service(self)?.name ?? uuid.description
    }
}

extension ServiceType: StoredAsText {
    package init?(storedText text: String) {
        guard let uuid = HAPUUID(text) else { return nil }
        self.init(uuid)
    }

    /// Encodes the UUID.
    public func encode(to encoder: any Encoder) throws {
        try uuid.encode(to: encoder)
    }
}

extension ServiceType {
    /// Parses the name or UUID of a type, or returns `nil` for any other text.
    package init?(nameOrUUID text: String) {
        let text = String(text.drop { $0 == " " })
        if let known = Catalog.service(named: text) {
            self = known.type
        } else if let uuid = HAPUUID(text.filter { $0 != " " }) {
            self.init(uuid)
        } else {
            return nil
        }
    }

    /// The form in files: the name in the catalog, or the UUID if the type is not in the catalog.
    package var nameOrUUID: String {
        if let known = Catalog.service(self), Catalog.service(named: known.id)?.type == self { return known.id }
        return uuid.description
    }

    /// The names of the type, with the display name first.
    package var names: [String] {
        [description] + (Catalog.service(self).map { [$0.id] + $0.aliases } ?? [])
    }
}
