import AccessoryModel
import Testing

/// A declaration that breaks one rule, and what is to be said of it.
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
    /// A service of one of the accessories; none is made when there is none.
    subscript(_ accessory: Int, _ type: ServiceType) -> Service {
        get { self[accessory].services.first { $0.key.type == type } ?? Service(type, characteristics: []) }
        set {
            guard let index = self[accessory].services.firstIndex(where: { $0.key.type == type }) else { return }
            self[accessory].services[index] = newValue
        }
    }

    /// A characteristic of one of the accessories.
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
