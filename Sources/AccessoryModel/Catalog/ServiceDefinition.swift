public import HAPCore

/// The catalog's definition of a service type.
public struct ServiceDefinition: Sendable, Hashable {
    /// The name for people, such as `Garage Door Opener`.
    public let name: String
    /// The name in files and in Swift, such as `GarageDoorOpener`.
    public let id: String
    /// Other names in use.
    public let aliases: [String]
    /// The type.
    public let type: ServiceType
    /// The characteristics that every such service has.
    public let required: [CharacteristicType]
    /// The characteristics that such a service may have.
    public let optional: [CharacteristicType]

    /// Creates an entry.
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

/// The type of a service: what it does, whatever accessory it is in.
public struct ServiceType: Sendable, Hashable {
    /// The UUID that names the type.
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
    /// The catalog's name, otherwise the UUID.
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
    /// Parses the name or UUID of a type; `nil` for anything else.
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

    /// The form in files: the name in the catalog, otherwise the UUID.
    package var nameOrUUID: String {
        if let known = Catalog.service(self), Catalog.service(named: known.id)?.type == self { return known.id }
        return uuid.description
    }

    /// The names in use for the type, the one for people first.
    package var names: [String] {
        [description] + (Catalog.service(self).map { [$0.id] + $0.aliases } ?? [])
    }
}
