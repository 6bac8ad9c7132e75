package import HAPCore

extension CharacteristicPermissions {
    /// Takes what a characteristic of `/accessories` says it allows: a list of names, or one text with names in it.
    ///
    /// Names that HAP does not know are left out. Returns `nil` for anything else, and for a text without a known name.
    ///
    /// HAP: §11.6
    package init?(describedBy value: JSONValue?) {
        switch value {
        case .array(let names):
            self = Self.union(of: names.lazy.compactMap(\.string))
        case .string(let text):
            let permissions = Self.union(of: text.split { !$0.isLetter }.map(String.init))
            guard !permissions.isEmpty else { return nil }
            self = permissions
        case nil, .null, .bool, .number, .object:
            return nil
        }
    }

    private static func union(of names: some Sequence<String>) -> CharacteristicPermissions {
        names.reduce(into: []) { permissions, name in
            permissions.formUnion(CharacteristicPermissions(name: name) ?? [])
        }
    }
}
