public import HAPCore

/// A write of one characteristic's value.
///
/// HAP: §13
public struct CharacteristicWrite: Sendable, Hashable {
    /// The id of the characteristic.
    public var id: CharacteristicID
    /// The new value.
    public var value: CharacteristicValue
    /// The additional authorization data, if the characteristic accepts any.
    public var authorization: [UInt8]?
    /// Whether the response should contain the value after the write.
    public var wantsResponse: Bool

    /// Creates a write.
    public init(
        _ id: CharacteristicID,
        _ value: CharacteristicValue,
        authorization: [UInt8]? = nil,
        wantsResponse: Bool = false
    ) {
        self.id = id
        self.value = value
        self.authorization = authorization
        self.wantsResponse = wantsResponse
    }
}

extension CharacteristicWriteItem {
    /// Creates the item of a write request.
    package init(_ write: CharacteristicWrite) {
        self.init(
            CharacteristicAddress(write.id),
            value: write.value.json,
            authData: write.authorization.map(Base64.encode),
            r: write.wantsResponse
        )
    }
}
