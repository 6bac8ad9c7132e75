public import AccessoryModel
internal import HAPCore

/// One function of an accessory as a program declares it, with its characteristics in braces.
///
/// ```swift
/// HAPService(.lightbulb, name: "Ceiling", key: "ceiling") {
///     HAPCharacteristic(.on, false).onWrite { isOn in try await ceiling.set(isOn) }
///     HAPCharacteristic(.brightness, 100)
/// }
/// ```
///
/// A characteristic without a closure is written and read all the same: the server keeps its value.
public struct HAPService: Sendable {
    var service: Service
    var characteristics: [AnyHAPCharacteristic]
    /// What it is called in a path when its type does not say it.
    private var name: String?
    private var issues: [String] = []

    /// Declares a service of Apple's catalog.
    ///
    /// - Parameters:
    ///   - type: What it does, such as `.lightbulb`. A server checks that the characteristics it requires are there.
    ///   - name: What people call it: its Name characteristic.
    ///   - key: Tells services of one type apart. The ids that controllers keep hang on it: leave it as it is once the
    ///     accessory is paired.
    ///   - isPrimary: Whether it is the accessory's main function; at most one is.
    ///   - isHidden: Whether people do not see it.
    ///   - characteristics: Its properties, each type at most once.
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
    ///   - uuid: The type in full, as `uuidgen` draws it.
    ///   - name: What people call it: its Name characteristic.
    ///   - key: Tells services of one type apart.
    ///   - isPrimary: Whether it is the accessory's main function; at most one is.
    ///   - isHidden: Whether people do not see it.
    ///   - characteristics: Its properties, each type at most once.
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

    /// Says that the service belongs with others of the same accessory, as a television with its inputs.
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

    /// What the compiler could not see.
    func errors(in accessory: String) -> [ModelError] {
        let path = "\(accessory)/\(name ?? service.key.type.description)"
        return issues.map { ModelError(.invalid, at: path, $0) } + characteristics.flatMap { $0.errors(in: path) }
    }
}
