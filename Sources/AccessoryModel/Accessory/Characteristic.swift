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

extension Characteristic {
    /// Creates a characteristic of an Apple-defined type, as the catalogue describes it.
    ///
    /// For types named in source. A type that a file or a peer names goes through ``Catalogue/characteristic(_:)``,
    /// which answers `nil` where this traps.
    ///
    /// - Precondition: The catalogue knows `type`.
    public init(catalogued type: CharacteristicType, value: CharacteristicValue? = nil) {
        guard let definition = Catalogue.characteristic(type) else {
            preconditionFailure("\(type.uuid) is not in the catalogue: declare its format and permissions")
        }
        self.init(definition, value: value)
    }
}

extension Characteristic {
    /// What `/accessories` says of a characteristic beside id, type and value: permissions, format, limits and
    /// description, in its own ``wording`` where it has one.
    package func members(isVerbatim: Bool) -> JSONObject {
        var writer = JSONWriter()
        writer.beginObject()
        writer.writePermissions(permissions)
        writer.writeMetadata(metadata, of: type, description: description, isVerbatim: isVerbatim)
        writer.endObject()
        // Our own words, as many as the values are that a device calls valid.
        let written = try? JSONValue(parsing: writer.finish(), limits: JSONLimits(maximumValues: .max))
        guard var members = written?.object else {
            preconditionFailure("what is written is an object")
        }
        for member in wording.members {
            members[member.key] = member.value
        }
        return members
    }
}
