public import AccessoryModel
public import HAPCore

/// An accessory's result for one characteristic.
///
/// HAP: §12, §13, §15
public struct CharacteristicResult: Sendable, Hashable {
    /// The id of the characteristic.
    public var id: CharacteristicID
    /// The status code that the accessory sent.
    ///
    /// It is 0 for success. `HAPStatus` has the codes that HAP defines.
    public var code: Int64
    /// The value; `nil` if the accessory sent none, or `null`.
    public var value: CharacteristicValue?

    /// Creates a result.
    public init(_ id: CharacteristicID, code: Int64 = 0, value: CharacteristicValue? = nil) {
        self.id = id
        self.code = code
        self.value = value
    }

    /// Whether it succeeded.
    public var isSuccess: Bool { code == 0 }

    /// The meaning of the code, or `nil` if HAP does not define it.
    public var status: HAPStatus? { Int32(exactly: code).flatMap(HAPStatus.init) }
}

extension CharacteristicResult {
    /// The status of a characteristic without a result.
    static let unansweredStatus = Int64(HAPStatus.unableToPerform.rawValue)

    /// Creates a result from the item of a response.
    init(
        _ id: CharacteristicID,
        _ item: CharacteristicResponse.Item?,
        as known: [CharacteristicID: RemoteCharacteristic]
    ) {
        let value = item?.value.flatMap { known.value(from: $0, of: id) }
        self.init(id, code: item.map { $0.status ?? 0 } ?? Self.unansweredStatus, value: value)
    }
}
