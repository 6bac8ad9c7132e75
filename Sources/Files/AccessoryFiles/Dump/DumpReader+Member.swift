internal import AccessoryModel
internal import Documents
internal import HAPCore

extension DumpReader {
    /// Returns an aid or iid, or `nil` if it is missing or invalid.
    mutating func identifier(_ key: String, of object: JSONObject, at path: String) -> UInt64? {
        guard let value = object[key] else { return nil }
        guard let id = object.identifier(key) else {
            diagnostics.addWarning("\(path).\(key)", "an \(key) must be a whole number above 0; this is ignored")
            return nil
        }
        if value.number == nil {
            diagnostics.addWarning("\(path).\(key)", "an \(key) must be a number, not a text; it is served as \(id)")
        }
        if id > IdentifierMap.maximumID {
            diagnostics.addWarning(
                "\(path).\(key)",
                "\(id) is too large for many controllers, which round it; it is served unchanged"
            )
        }
        return id
    }

    /// Returns the type of a service or characteristic, or `nil` if it is missing or invalid.
    ///
    /// The result also contains the type as written if HAP does not define that form.
    mutating func type(of object: JSONObject, at path: String) -> (uuid: HAPUUID, written: String?)? {
        guard let text = object["type"]?.string, let uuid = HAPUUID(lenient: text) else { return nil }
        guard HAPUUID(text) == nil else { return (uuid, nil) }
        diagnostics.addWarning("\(path).type", "the UUID is not written as \(uuid); it is served unchanged")
        return (uuid, text)
    }

    /// Adds warnings for members that HAP does not define here.
    mutating func warnAboutUnknown(in object: JSONObject, known: Set<String>, at path: String) {
        for member in object.members where member.key.utf8.count > 32 || !known.contains(member.key) {
            diagnostics.addIgnoredMember(member.key, at: "\(path).\(member.key.excerpt)")
        }
    }

    /// Returns the elements of a list, or of an object that replaces a list.
    mutating func list(_ key: String, of object: JSONObject, at path: String) -> [JSONValue] {
        guard let list = AccessoriesJSON.elements(of: object[key], id: "iid") else {
            diagnostics.addWarning(path, "it has no list of \(key)")
            return []
        }
        if object[key]?.array == nil {
            diagnostics.addWarning("\(path).\(key)", "\(key) must be a list, not an object; they are served as a list")
        }
        return list
    }

    mutating func flag(_ key: String, of object: JSONObject, at path: String) -> Bool {
        guard let value = object[key], value != .null else { return false }
        if let flag = value.hapBool { return flag }
        diagnostics.addWarning("\(path).\(key)", "it is neither true nor false; false is used")
        return false
    }
}
