public import HAPCore

/// A declared characteristic of a service, before it has an id on a server.
public struct Characteristic: DescribedCharacteristic, Sendable, Hashable {
    /// The type, the permissions and the metadata.
    public var base: CharacteristicDescription
    /// The operations that are reserved for admins.
    public var adminOnly: AdminOnlyAccess
    /// The value at the first start, or `nil` if the characteristic cannot be read or is a button event.
    public var value: CharacteristicValue?
    /// The required id, or `nil` to let the server assign and save one.
    public var iid: InstanceID?
    /// Members of `/accessories` exactly as a real device sends them, where they differ from the other properties, such
    /// as an unknown unit.
    ///
    /// In accessories that are served verbatim, they replace or complete the members that follow from the properties.
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
    /// Creates a characteristic of an Apple-defined type, as described by the catalog.
    ///
    /// Use it for types that are named in source code. For a type from a file or a peer, use
    /// ``Catalog/characteristic(_:)``, which returns `nil` for an unknown type, where this initializer traps.
    ///
    /// - Precondition: The catalog contains `type`.
    public init(cataloged type: CharacteristicType, value: CharacteristicValue? = nil) {
        guard let definition = Catalog.characteristic(type) else {
            preconditionFailure("\(type.uuid) is not in the catalog: declare its format and permissions")
        }
        self.init(definition, value: value)
    }
}

extension Characteristic {
    /// Returns the characteristic's members of `/accessories` without id, type and value, including its
    /// ``verbatimMembers``.
    package func jsonMembers(isVerbatim: Bool) -> JSONObject {
        var members = base.jsonMembers(isVerbatim: isVerbatim)
        for member in verbatimMembers.members {
            members[member.key] = member.value
        }
        return members
    }
}

extension CharacteristicDescription {
    /// Returns the characteristic's members of `/accessories` without id, type and value.
    ///
    /// These are the permissions, the format, the limits and the description.
    package func jsonMembers(isVerbatim: Bool) -> JSONObject {
        var writer = JSONWriter()
        writer.beginObject()
        writer.write(self, isVerbatim: isVerbatim)
        writer.endObject()
        // There is no limit, because hap has written this JSON itself and a device may have any number of valid values.
        let written = try? JSONValue(parsing: writer.finish(), limits: JSONLimits(maximumValues: .max))
        guard let members = written?.object else {
            preconditionFailure("the writer must write an object")
        }
        return members
    }
}
