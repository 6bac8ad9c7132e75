internal import AccessoryModel

extension RemoteService {
    /// What people call it: the name that they gave it, else the accessory's, else that of its type.
    ///
    /// The Name in Accessory Information is the accessory's, and not the service's.
    public var name: String {
        type == .accessoryInformation ? typeName : text(.configuredName) ?? text(.name) ?? typeName
    }

    /// The name of its type, for a vendor's type the UUID.
    public var typeName: String {
        type.description
    }

    /// The value of a characteristic that holds a text; `nil` for an empty one.
    func text(_ type: CharacteristicType) -> String? {
        let text = characteristics.first { $0.type == type }?.value?.string
        return text.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
}
