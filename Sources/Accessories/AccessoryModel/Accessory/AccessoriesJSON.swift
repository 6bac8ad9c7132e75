package import HAPCore

/// A namespace for functions that find the lists in a response to `GET /accessories`, even if an object replaces a
/// list.
package enum AccessoriesJSON {
    /// Returns the accessories in a response, or `nil` if it has none of the accepted forms.
    ///
    /// The accepted forms are:
    ///
    /// - a list of accessories
    /// - an object with the member `accessories`
    /// - a single accessory
    /// - one of these as the value of the member `data`
    package static func accessories(in root: JSONValue) -> [JSONValue]? {
        guard let object = root.object else { return root.array }
        if object["aid"] != nil, object["services"] != nil { return [root] }
        if let accessories = object["accessories"] { return elements(of: accessories, id: "aid") }
        guard let data = object["data"] else { return nil }
        return data.object?["data"] == nil ? accessories(in: data) : nil
    }

    /// Returns the elements of a list, or `nil` if the value has none of the accepted forms.
    ///
    /// The accepted forms are a list, an object that has one element for each id, and a single element.
    ///
    /// - Parameter id: The member with the id of an element. If an element does not have it, its key becomes its id.
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
    /// Returns the aid or iid of an object, or `nil` if the member is missing or invalid.
    ///
    /// A valid id is an integer above 0, or such a number as a string.
    package func identifier(_ key: String) -> UInt64? {
        guard let id = self[key]?.numericValue?.integer(as: UInt64.self), id > 0 else { return nil }
        return id
    }
}
