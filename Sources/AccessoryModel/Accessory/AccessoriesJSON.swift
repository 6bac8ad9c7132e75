package import HAPCore

/// Finds the lists in a response to `GET /accessories`, also if an object replaces a list.
package enum AccessoriesJSON {
    /// Returns the accessories of a response: a list, an object with `accessories`, a single accessory, or one of these
    /// under `data`; `nil` for anything else.
    package static func accessories(in root: JSONValue) -> [JSONValue]? {
        guard let object = root.object else { return root.array }
        if object["aid"] != nil, object["services"] != nil { return [root] }
        if let accessories = object["accessories"] { return elements(of: accessories, id: "aid") }
        guard let data = object["data"] else { return nil }
        return data.object?["data"] == nil ? accessories(in: data) : nil
    }

    /// Returns the elements of a list, of an object that has one for each id, or a single element; `nil` for anything
    /// else.
    ///
    /// - Parameter id: The member with the id of an element; an element without it has its key as id.
    package static func elements(of value: JSONValue?, id: String) -> [JSONValue]? {
        guard let object = value?.object else { return value?.array }
        if object["type"]?.string != nil || object["services"]?.array != nil { return value.map { [$0] } }
        guard !object.members.isEmpty else { return nil }
        return object.members.map { member in
            guard var element = member.value.object, element[id] == nil, let number = JSONNumber(parsing: member.key)
            else {
                return member.value
            }
            element[id] = .number(number)
            return .object(element)
        }
    }
}

extension JSONObject {
    /// Returns the aid or iid of an object: a whole number above 0, or such a number as text; `nil` if the member is
    /// absent or anything else.
    package func identifier(_ key: String) -> UInt64? {
        guard let id = self[key]?.numericValue?.integer(as: UInt64.self), id > 0 else { return nil }
        return id
    }
}
