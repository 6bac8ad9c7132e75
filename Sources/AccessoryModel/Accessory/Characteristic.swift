public import HAPCore

/// One property of a service, as it is declared: before it has an id in a server.
public struct Characteristic: DescribedCharacteristic, Sendable, Hashable {
    /// What it is.
    public var base: CharacteristicDescription
    /// What only admins may do with it.
    public var adminOnly: AdminOnlyAccess
    /// The value at the first start; `nil` for what cannot be read and for button events.
    public var value: CharacteristicValue?
    /// The id it must have; `nil` lets the server assign one and keep it.
    public var iid: InstanceID?
    /// Members of `/accessories` as a real device words them, where the other properties would word them otherwise, such
    /// as a unit that HAP does not know.
    ///
    /// Served in place of those, or beside them; for accessories that are served verbatim.
    package var verbatimMembers = JSONObject()

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
        base = .init(type: type, permissions: permissions, metadata: metadata, description: description)
        self.adminOnly = adminOnly
        self.value = value
        self.iid = iid
    }

    /// Creates a characteristic as the catalog describes it.
    public init(_ definition: CharacteristicDefinition, value: CharacteristicValue? = nil) {
        base = .init(definition)
        adminOnly = definition.adminOnly
        self.value = value
    }
}

extension Characteristic {
    /// Creates a characteristic of an Apple-defined type, as the catalog describes it.
    ///
    /// For types named in source. A type that a file or a peer names goes through ``Catalog/characteristic(_:)``,
    /// which answers `nil` where this traps.
    ///
    /// - Precondition: The catalog knows `type`.
    public init(cataloged type: CharacteristicType, value: CharacteristicValue? = nil) {
        guard let definition = Catalog.characteristic(type) else {
            preconditionFailure("\(type.uuid) is not in the catalog: declare its format and permissions")
        }
        self.init(definition, value: value)
    }
}

extension Characteristic {
    /// What `/accessories` says of a characteristic beside id, type and value, in its own ``verbatimMembers`` where it has one.
    package func jsonMembers(isVerbatim: Bool) -> JSONObject {
        var members = base.jsonMembers(isVerbatim: isVerbatim)
        for member in verbatimMembers.members {
            members[member.key] = member.value
        }
        return members
    }
}

extension CharacteristicDescription {
    /// What `/accessories` says of a characteristic beside id, type and value: permissions, format, limits and
    /// description.
    package func jsonMembers(isVerbatim: Bool) -> JSONObject {
        var writer = JSONWriter()
        writer.beginObject()
        writer.write(self, isVerbatim: isVerbatim)
        writer.endObject()
        // Our own words, as many as the values are that a device calls valid.
        let written = try? JSONValue(parsing: writer.finish(), limits: JSONLimits(maximumValues: .max))
        guard let members = written?.object else {
            preconditionFailure("what is written is an object")
        }
        return members
    }
}
