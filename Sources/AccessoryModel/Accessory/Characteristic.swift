public import HAPCore

/// One property of a service, as it is declared: before it has an id in a server.
public struct Characteristic: Sendable, Hashable {
    /// What it means.
    public var type: CharacteristicType
    /// What a controller may do with it.
    public var permissions: CharacteristicPermissions
    /// What its values may be.
    public var metadata: CharacteristicMetadata
    /// What only admins may do with it.
    public var adminOnly: AdminOnlyAccess
    /// What a controller's developer reads: mostly for vendor types.
    public var description: String?
    /// The value at the first start; `nil` for what cannot be read and for button events.
    public var value: CharacteristicValue?
    /// The id it must have; `nil` lets the server assign one and keep it.
    public var iid: InstanceID?
    /// Members of `/accessories` as a real device words them, where the other properties would word them otherwise, such
    /// as a unit that HAP does not know.
    ///
    /// Served in place of those, or beside them; for accessories that are served verbatim.
    package var wording = JSONObject()

    /// Creates a characteristic of any type.
    public init(
        type: CharacteristicType,
        permissions: CharacteristicPermissions,
        metadata: CharacteristicMetadata,
        adminOnly: AdminOnlyAccess = [],
        description: String? = nil,
        value: CharacteristicValue? = nil,
        iid: InstanceID? = nil
    ) {
        self.type = type
        self.permissions = permissions
        self.metadata = metadata
        self.adminOnly = adminOnly
        self.description = description
        self.value = value
        self.iid = iid
    }

    /// Creates a characteristic as the catalogue describes it.
    public init(_ definition: CharacteristicDefinition, value: CharacteristicValue? = nil) {
        self.init(
            type: definition.type,
            permissions: definition.permissions,
            metadata: definition.metadata,
            adminOnly: definition.adminOnly,
            value: value
        )
    }

    /// Its values in people's words.
    package var words: CharacteristicWords {
        CharacteristicWords(type, metadata)
    }
}
