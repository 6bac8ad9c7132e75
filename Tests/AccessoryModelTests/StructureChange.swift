import AccessoryModel
import Testing

/// A change to a service that a controller can detect.
struct StructureChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (inout Service) -> Void

    init(_ name: String, _ apply: @escaping @Sendable (inout Service) -> Void) {
        testDescription = name
        self.apply = apply
    }
}
