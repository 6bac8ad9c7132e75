internal import AccessoryModel
internal import HAPCore

/// A declared characteristic with values of any type, as a service stores it.
///
/// Created from a ``HAPCharacteristic``.
public struct AnyHAPCharacteristic: Sendable {
    let identity = DeclarationIdentity()
    var characteristic: Characteristic
    var handler = CharacteristicHandler()
    var polledValue: PolledValue?
    /// The name in a path if the type has none.
    var name: String?

    private let formats: [CharacteristicFormat]
    private let swiftType: String
    private let accepts: @Sendable (CharacteristicValue) -> Bool
    private var issues: [Issue] = []

    private struct Issue {
        let code: ModelError.Code
        let reason: String
    }

    init<Value: CharacteristicConvertible>(_ characteristic: Characteristic, of type: Value.Type) {
        self.characteristic = characteristic
        formats = Value.characteristicFormats
        swiftType = "\(type)"
        accepts = { Value(characteristicValue: $0) != nil }
    }

    mutating func report(_ code: ModelError.Code, _ reason: String) {
        issues.append(Issue(code: code, reason: reason))
    }

    /// Returns the errors that the compiler cannot find.
    func errors(in service: String) -> [ModelError] {
        let path = "\(service)/\(name ?? characteristic.type.description)"
        var faults = issues
        func find(_ code: ModelError.Code, _ reason: String) {
            faults.append(Issue(code: code, reason: reason))
        }
        let (format, permissions) = (characteristic.metadata.format, characteristic.permissions)
        if !formats.contains(format) {
            find(
                .invalid,
                "its format is \(format), which \(swiftType) cannot represent; declare it with \(format.remedy)"
            )
        } else if handler.onWrite != nil, let value = unrepresentableValue {
            find(.invalid, "a controller may write \(value), which \(swiftType) cannot represent; use a type that can")
        }
        if handler.onRead != nil, !permissions.contains(.read) {
            find(.invalid, "controllers may not read it, so onRead is never called; remove onRead")
        }
        if handler.onWrite != nil, !permissions.contains(.write) {
            find(.invalid, "controllers may not write it, so onWrite is never called; set its value with server.set")
        }
        if permissions.contains(.read), characteristic.value == nil, !characteristic.type.isButton, issues.isEmpty {
            find(.missing, "it is readable and has no value; declare an initial value instead of the type")
        }
        return faults.map { ModelError($0.code, at: path, $0.reason) }
    }

    /// A valid number that the Swift type cannot represent; `nil` if there is none.
    private var unrepresentableValue: JSONNumber? {
        let metadata = characteristic.metadata
        let bounds = [
            metadata.minimum ?? metadata.format.integerRange?.lowerBound,
            metadata.maximum ?? metadata.format.integerRange?.upperBound,
        ]
        let candidates = metadata.validValues.isEmpty ? bounds.compactMap(\.self) : metadata.validValues
        return candidates.first { !accepts(.number($0)) }
    }
}

extension CharacteristicFormat {
    /// The advice on how a value of this format is written in Swift.
    fileprivate var remedy: String {
        switch self {
        case .bool: "a Bool, such as false"
        case .uint8, .uint16, .uint32, .uint64, .int: "an integer, such as 0"
        case .float: "a Double, such as 0.0"
        case .string: "a String"
        case .tlv8, .data: "bytes: [UInt8]"
        }
    }
}
