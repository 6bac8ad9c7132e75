import AccessoryModel
import Testing

/// A change that makes a declaration break one rule, with the expected error.
struct RuleViolation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: ModelError.Code
    let path: String
    let apply: @Sendable (inout [Accessory]) -> Void

    init(
        _ name: String,
        _ code: ModelError.Code,
        at path: String,
        _ apply: @escaping @Sendable (inout [Accessory]) -> Void
    ) {
        testDescription = name
        self.code = code
        self.path = path
        self.apply = apply
    }
}

extension [Accessory] {
    /// The first service of a type in an accessory.
    ///
    /// Setting it has no effect if the accessory has none.
    subscript(_ accessory: Int, _ type: ServiceType) -> Service {
        get { self[accessory].services.first { $0.key.type == type } ?? Service(type, characteristics: []) }
        set {
            guard let index = self[accessory].services.firstIndex(where: { $0.key.type == type }) else { return }
            self[accessory].services[index] = newValue
        }
    }

    /// The first characteristic of a type in a service.
    ///
    /// Setting it has no effect if the service has none.
    subscript(_ accessory: Int, _ service: ServiceType, _ type: CharacteristicType) -> Characteristic {
        get {
            self[accessory, service].characteristics.first { $0.type == type } ?? Characteristic(cataloged: type)
        }
        set {
            guard let index = self[accessory, service].characteristics.firstIndex(where: { $0.type == type }) else {
                return
            }
            self[accessory, service].characteristics[index] = newValue
        }
    }
}
