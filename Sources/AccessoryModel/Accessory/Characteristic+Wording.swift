package import HAPCore

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
