public import HAPCore

/// The catalog's definition of a characteristic type.
public struct CharacteristicDefinition: Sendable, Hashable {
    /// The display name, such as `Current Door State`.
    public let name: String
    /// The name in files and in Swift, such as `CurrentDoorState`.
    public let id: String
    /// Other names of the type.
    public let aliases: [String]
    /// The type.
    public let type: CharacteristicType
    /// The allowed values.
    public let metadata: CharacteristicMetadata
    /// The operations that controllers may perform.
    public let permissions: CharacteristicPermissions
    /// The operations that are reserved for admins.
    public let adminOnly: AdminOnlyAccess
    /// The names of an enumeration's values, in ascending order of the values.
    public let valueNames: [ValueName]
    /// The names of a bit field's bits.
    public let bitNames: [ValueName]

    /// Creates a definition.
    public init(
        name: String,
        id: String,
        aliases: [String] = [],
        type: CharacteristicType,
        metadata: CharacteristicMetadata,
        permissions: CharacteristicPermissions,
        adminOnly: AdminOnlyAccess = [],
        valueNames: [ValueName] = [],
        bitNames: [ValueName] = []
    ) {
        self.name = name
        self.id = id
        self.aliases = aliases
        self.type = type
        self.metadata = metadata
        self.permissions = permissions
        self.adminOnly = adminOnly
        self.valueNames = valueNames
        self.bitNames = bitNames
    }

    /// A number with its display name.
    public struct ValueName: Sendable, Hashable {
        /// The name, such as `Closed`.
        public let name: String
        /// The number, or the bit's mask.
        public let value: JSONNumber

        /// Creates a name.
        public init(_ name: String, _ value: JSONNumber) {
            self.name = name
            self.value = value
        }
    }
}

/// The type of a characteristic.
///
/// It is independent of the accessory.
public struct CharacteristicType: Sendable, Hashable {
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

extension CharacteristicType: CustomStringConvertible {
    /// The name in the catalog, or the UUID if the type is not in the catalog.
    public var description: String {
        Catalog.characteristic(self)?.name ?? uuid.description
    }
}

extension CharacteristicType: StoredAsText {
    package init?(storedText text: String) {
        guard let uuid = HAPUUID(text) else { return nil }
        self.init(uuid)
    }

    /// Encodes the UUID.
    public func encode(to encoder: any Encoder) throws {
        try uuid.encode(to: encoder)
    }
}

extension CharacteristicType {
    /// Parses the name or UUID of a type, or returns `nil` for any other text.
    package init?(nameOrUUID text: String) {
        if let known = Catalog.characteristic(named: text) {
            self = known.type
        } else if let uuid = HAPUUID(text) {
            self.init(uuid)
        } else {
            return nil
        }
    }

    /// The form in files: the name in the catalog, or the UUID if the type is not in the catalog.
    package var nameOrUUID: String {
        if let known = Catalog.characteristic(self), Catalog.characteristic(named: known.id)?.type == self {
            return known.id
        }
        return uuid.description
    }

    /// Whether each occurrence is an event, even if the value repeats, and a read returns no value.
    ///
    /// HAP: §14
    package var isButton: Bool {
        self == .programmableSwitchEvent || self == .buttonEvent
    }
}
