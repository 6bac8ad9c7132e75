internal import HAPCore

/// What a controller may do with a characteristic.
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
    /// `aa`: additional authorization data accepted on write.
    public static let additionalAuthorization = CharacteristicPermissions(rawValue: 0x08)
    /// `tw`: a write must be a timed one.
    public static let timedWrite = CharacteristicPermissions(rawValue: 0x10)
    /// `hd`: hidden from the user.
    public static let hidden = CharacteristicPermissions(rawValue: 0x20)
    /// `wr`: a write may return a value.
    public static let writeResponse = CharacteristicPermissions(rawValue: 0x40)

    /// Every permission with its name on the wire, in the order in which they are written.
    public static let names: [(permission: CharacteristicPermissions, name: String)] = [
        (read, "pr"), (write, "pw"), (events, "ev"), (additionalAuthorization, "aa"), (timedWrite, "tw"),
        (hidden, "hd"), (writeResponse, "wr"),
    ]

    /// The permission with this name on the wire, `nil` for an unknown name.
    public init?(name: some StringProtocol) {
        guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
        self = known.permission
    }

    /// The names on the wire.
    public var names: [String] {
        Self.names.filter { contains($0.permission) }.map(\.name)
    }
}

extension CharacteristicPermissions: Codable {
    /// Decodes the names; throws for an unknown one.
    public init(from decoder: any Decoder) throws {
        self = try decoder.singleValueContainer().decode([String].self)
            .reduce(into: []) { permissions, name in
                guard let permission = CharacteristicPermissions(name: name) else {
                    throw decoder.damage("an unknown permission")
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
