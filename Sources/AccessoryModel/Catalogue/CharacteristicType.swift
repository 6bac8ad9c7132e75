public import HAPCore

/// The type of a characteristic: what it means, whatever accessory it is in.
public struct CharacteristicType: Sendable, Hashable {
    /// The UUID that names the type.
    public let uuid: HAPUUID

    /// Creates a vendor's type from its UUID.
    public init(_ uuid: HAPUUID) {
        self.uuid = uuid
    }

    /// Creates an Apple-defined type from its short number.
    public init(apple short: UInt32) {
        uuid = HAPUUID(apple: short)
    }
}

extension CharacteristicType: CustomStringConvertible {
    /// The catalogue's name, else the UUID.
    public var description: String {
        Catalogue.characteristic(self)?.name ?? uuid.description
    }
}

extension CharacteristicType: StoredAsText {
    package init?(storedText text: String) {
        guard let uuid = HAPUUID(text) else { return nil }
        self.init(uuid)
    }

    /// Encodes the UUID.
    public func encode(to encoder: any Encoder) throws {
        try uuid.encode(to: encoder)
    }
}
