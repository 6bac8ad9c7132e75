package import HAPCore

/// The operations on a characteristic that controllers may perform.
///
/// HAP: §11.6
public struct CharacteristicPermissions: OptionSet, Sendable, Hashable {
    /// One bit per permission.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `pr`: paired read.
    public static let read = CharacteristicPermissions(rawValue: 0x01)
    /// `pw`: paired write.
    public static let write = CharacteristicPermissions(rawValue: 0x02)
    /// `ev`: event notifications.
    public static let events = CharacteristicPermissions(rawValue: 0x04)
    /// `aa`: additional authorization data is accepted in a write.
    public static let additionalAuthorization = CharacteristicPermissions(rawValue: 0x08)
    /// `tw`: a write must be a timed one.
    public static let timedWrite = CharacteristicPermissions(rawValue: 0x10)
    /// `hd`: hidden from the user.
    public static let hidden = CharacteristicPermissions(rawValue: 0x20)
    /// `wr`: a write may return a value.
    public static let writeResponse = CharacteristicPermissions(rawValue: 0x40)

    /// All permissions with their names in JSON, in the order in which they are sent.
    public static let names: [(permission: CharacteristicPermissions, name: String)] = [
        (read, "pr"), (write, "pw"), (events, "ev"), (additionalAuthorization, "aa"), (timedWrite, "tw"),
        (hidden, "hd"), (writeResponse, "wr"),
    ]

    /// Creates a permission from its name in JSON, or returns `nil` for an unknown name.
    public init?(name: some StringProtocol) {
        guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
        self = known.permission
    }

    /// The names of the permissions in JSON.
    public var names: [String] {
        Self.names.filter { contains($0.permission) }.map(\.name)
    }
}

extension CharacteristicPermissions: Codable {
    /// Decodes a list of names, and throws if a name is unknown.
    public init(from decoder: any Decoder) throws {
        self = try decoder.singleValueContainer().decode([String].self)
            .reduce(into: []) { permissions, name in
                guard let permission = CharacteristicPermissions(name: name) else {
                    throw decoder.dataCorrupted("an unknown permission")
                }
                permissions.formUnion(permission)
            }
    }

    /// Encodes the names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(names)
    }
}

/// The operations on a characteristic that are reserved for admins.
///
/// This is a rule of the server: it has no permission string, and a violation results in −70401.
///
/// HAP: §11.6
public struct AdminOnlyAccess: OptionSet, Sendable, Hashable {
    /// One bit per kind of access.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reading the value.
    public static let read = AdminOnlyAccess(rawValue: 0x01)
    /// Writing the value.
    public static let write = AdminOnlyAccess(rawValue: 0x02)
    /// Subscribing and receiving events.
    public static let notify = AdminOnlyAccess(rawValue: 0x04)
}

extension CharacteristicPermissions {
    /// Creates permissions from those of a characteristic in `/accessories`: a list of names, or one string with names.
    ///
    /// Unknown names are ignored. Returns `nil` for any other JSON, and for a string without a known name.
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
