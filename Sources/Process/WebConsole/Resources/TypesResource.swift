internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Resources
internal import Simulation

/// Apple's types, as the API shows them.
struct TypesResource: Sendable {
    private var services: [ServiceDefinition] { Catalog.services }
    private var characteristics: [CharacteristicDefinition] { Catalog.characteristics }
    private var categories: [String] { AccessoryCategory.names.map(\.name) }

    static let format = Format<TypesResource>
        .response(
            "Types",
            [
                .written("services", \.services, .list(of: service), "The types of services."),
                .written(
                    "characteristics",
                    \.characteristics,
                    .list(of: characteristic),
                    "The types of characteristics."
                ),
                .written("categories", \.categories, .list(of: .string), "The names of the categories."),
            ]
        )

    private static let service = Format<ServiceDefinition>
        .response(
            "ServiceType",
            [
                .written("type", \.shortType, .string, "The UUID, shortened."),
                .written("id", \.id, .string, "The name in definitions."),
                .written("name", \.name, .string, "The name for people."),
                .written("required", \.requiredNames, .list(of: .string), "The names of the required characteristics."),
                .written("optional", \.optionalNames, .list(of: .string), "The names of the optional characteristics."),
                .written(
                    "simulations",
                    \.simulations,
                    .list(of: .string),
                    "The names of the models that can simulate it; the first one is the default."
                ),
            ]
        )

    private static let characteristic = Format<CharacteristicDefinition>
        .response(
            "CharacteristicType",
            [
                .written("type", \.shortType, .string, "The UUID, shortened."),
                .written("id", \.id, .string, "The name in definitions."),
                .written("name", \.name, .string, "The name for people."),
                .written("format", \.metadata.format.rawValue, .string, "The format of the values."),
                .written("permissions", \.permissions.names, .list(of: .string), "What controllers may do."),
                .written("unit", \.metadata.unit?.rawValue, .string, "The unit."),
                .written("minimum", \.metadata.minimum, .number, "The least value."),
                .written("maximum", \.metadata.maximum, .number, "The greatest value."),
                .written("step", \.metadata.step, .number, "The step between values."),
                .written("first", \.firstNumber, .number, "The value in a new definition; 1 stands for true."),
                .written("maximumLength", \.metadata.maximumLength, .count, "The maximum number of bytes of a text."),
                .written(
                    "validValues",
                    \.metadata.validValues,
                    .list(of: .number),
                    "The allowed values, if not all are."
                ),
                .written("valueNames", \.valueNames, .list(of: .valueName), "The names of values."),
                .written("bitNames", \.bitNames, .list(of: .valueName), "The names of bits."),
            ]
        )
}

extension ServiceDefinition {
    fileprivate var shortType: String { type.uuid.shortened }
    fileprivate var requiredNames: [String] { required.map { Catalog.characteristic($0)?.name ?? $0.description } }
    fileprivate var optionalNames: [String] { optional.map { Catalog.characteristic($0)?.name ?? $0.description } }
    fileprivate var simulations: [String] {
        SimulationCatalog.models.filter { $0.services.contains(type) }.map(\.name)
    }
}

extension CharacteristicDefinition {
    fileprivate var shortType: String { type.uuid.shortened }
    fileprivate var firstNumber: JSONNumber? {
        switch metadata.firstValue(of: type) {
        case .bool(let flag): flag ? 1 : 0
        case .number(let number): number
        case .string, .data, nil: nil
        }
    }
}

extension Format<CharacteristicDefinition.ValueName> {
    /// A value with its name.
    fileprivate static let valueName = Format.response(
        "ValueName",
        [
            .written("value", \.value, .number, "The value."), .written("name", \.name, .string, "Its name."),
        ]
    )
}
