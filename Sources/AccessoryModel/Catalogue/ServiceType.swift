public import HAPCore

/// The type of a service: what it does, whatever accessory it is in.
public struct ServiceType: Sendable, Hashable {
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

extension ServiceType: CustomStringConvertible {
    /// The catalogue's name, else the UUID.
    public var description: String {
        Catalogue.service(self)?.name ?? uuid.description
    }
}

extension ServiceType: StoredAsText {
    package init?(storedText text: String) {
        guard let uuid = HAPUUID(text) else { return nil }
        self.init(uuid)
    }

    /// Encodes the UUID.
    public func encode(to encoder: any Encoder) throws {
        try uuid.encode(to: encoder)
    }
}
