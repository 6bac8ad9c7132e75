public import AccessoryModel
internal import HAPCore

/// A service of an accessory as a program declares it, with its characteristics in a closure.
///
/// ```swift
/// HAPService(.lightbulb, name: "Ceiling", key: "ceiling") {
///     HAPCharacteristic(.on, false).onWrite { isOn in try await ceiling.set(isOn) }
///     HAPCharacteristic(.brightness, 100)
/// }
/// ```
///
/// A characteristic without a closure can still be written and read: the server stores its value.
public struct HAPService: Sendable {
    var service: Service
    var characteristics: [AnyHAPCharacteristic]
    /// The name in a path if the type has none.
    private var name: String?
    private var issues: [String] = []

    /// Declares a service of Apple's catalog.
    ///
    /// - Parameters:
    ///   - type: The type, such as `.lightbulb`. The server checks that the required characteristics are present.
    ///   - name: The name that people see: the Name characteristic.
    ///   - key: Distinguishes services of one type. The ids that controllers store depend on it, so do not change it
    ///     after pairing.
    ///   - isPrimary: Whether it is the accessory's main service; at most one is.
    ///   - isHidden: Whether it is hidden from people.
    ///   - characteristics: Its characteristics, each type at most once.
    public init(
        _ type: ServiceType,
        name: String? = nil,
        key: String = "",
        isPrimary: Bool = false,
        isHidden: Bool = false,
        @DeclarationBuilder<AnyHAPCharacteristic> characteristics: () -> [AnyHAPCharacteristic]
    ) {
        self.characteristics = characteristics()
        service = Service(type, subtype: key, characteristics: [], isPrimary: isPrimary, isHidden: isHidden)
        if let name {
            self.characteristics.insert(HAPCharacteristic(.name, name).declared, at: 0)
        }
    }

    /// Declares a service of your own.
    ///
    /// - Parameters:
    ///   - uuid: The full type, as `uuidgen` prints it.
    ///   - name: The name that people see: the Name characteristic.
    ///   - key: Distinguishes services of one type.
    ///   - isPrimary: Whether it is the accessory's main service; at most one is.
    ///   - isHidden: Whether it is hidden from people.
    ///   - characteristics: Its characteristics, each type at most once.
    public init(
        custom uuid: String,
        name: String? = nil,
        key: String = "",
        isPrimary: Bool = false,
        isHidden: Bool = false,
        @DeclarationBuilder<AnyHAPCharacteristic> characteristics: () -> [AnyHAPCharacteristic]
    ) {
        let known = HAPUUID(uuid)
        self.init(
            ServiceType(known ?? HAPUUID(high: 0, low: 0)),
            name: name,
            key: key,
            isPrimary: isPrimary,
            isHidden: isHidden,
            characteristics: characteristics
        )
        if known == nil {
            self.name = name ?? uuid
            issues.append("\"\(uuid)\" is not a UUID; write 36 characters as uuidgen prints them")
        }
    }

    /// Links the service to others of the same accessory, such as a television to its inputs.
    public func linked(to services: HAPService...) -> HAPService {
        var copy = self
        copy.service.linked += services.map(\.service.key)
        return copy
    }

    /// The value that the server works with.
    var modelService: Service {
        var service = service
        service.characteristics = characteristics.map(\.characteristic)
        return service
    }

    /// Returns the errors that the compiler cannot find.
    func errors(in accessory: String) -> [ModelError] {
        let path = "\(accessory)/\(name ?? service.key.type.description)"
        return issues.map { ModelError(.invalid, at: path, $0) } + characteristics.flatMap { $0.errors(in: path) }
    }
}
