package import HAPCore

/// Finds the lists of an answer to `GET /accessories`, also where an object is in the place of a list.
package enum AccessoriesJSON {
    /// Returns the accessories of an answer: a list, an object with `accessories`, one accessory alone, or one of these
    /// under `data`; `nil` for anything else.
    package static func accessories(in root: JSONValue) -> [JSONValue]? {
        guard let object = root.object else { return root.array }
        if object["aid"] != nil, object["services"] != nil { return [root] }
        if let accessories = object["accessories"] { return elements(of: accessories, id: "aid") }
        guard let data = object["data"] else { return nil }
        return data.object?["data"] == nil ? accessories(in: data) : nil
    }

    /// Returns the elements of a list, of an object that has one for each id, or one element alone; `nil` for anything
    /// else.
    ///
    /// - Parameter id: The member that holds the id of an element; one without it has the key that it is stored under.
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
    /// Returns the aid or iid of an accessory, service or characteristic: a whole number above 0, or a text of one; `nil`
    /// when the member is absent or is anything else.
    package func identifier(_ key: String) -> UInt64? {
        guard let id = self[key]?.numericValue?.integer(as: UInt64.self), id > 0 else { return nil }
        return id
    }
}
