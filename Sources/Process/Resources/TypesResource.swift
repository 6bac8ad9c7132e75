package import AccessoryModel
package import Documents
internal import HAPCore
internal import Simulation

/// Apple's types, or some of them.
package struct TypesResource: Sendable {
    private let services: [ServiceDefinition]
    private let characteristics: [CharacteristicDefinition]
    private var categories: [String]?
    private var driver: DocumentTree?

    /// All types, with the categories and the drivers.
    package static let all: TypesResource = {
        var all = TypesResource(Catalog.services, Catalog.characteristics, AccessoryCategory.names.map(\.name))
        all.driver = Format<DriverSetting>.driver.schema.definitions["driver"]
        return all
    }()

    package init(
        _ services: [ServiceDefinition],
        _ characteristics: [CharacteristicDefinition],
        _ categories: [String]? = nil
    ) {
        self.services = services
        self.characteristics = characteristics
        self.categories = categories
    }

    package static let format = Format<TypesResource>(
        response: "Types",
        .written("services", \.services, .list(of: service), "The types of services."),
        .written("characteristics", \.characteristics, .list(of: characteristic), "The types of characteristics."),
        .written("categories", \.categories, .list(of: .string), "The names of the categories."),
        .written(
            "driver",
            \.driver,
            Format<DocumentTree>(written: Schema(.init("type", "object"))) { $0 },
            "The JSON Schema of the driver of an accessory, with its name and its parameters."
        )
    )

    private static let service = Format<ServiceDefinition>(
        response: "ServiceType",
        .written("type", \.shortType, .string, "The UUID, shortened."),
        .written("uuid", \.type.uuid.description, .string, "The whole UUID."),
        .written("id", \.id, .string, "The name in definitions."),
        .written("name", \.name, .string, "The name for people."),
        .written("aliases", \.aliases, .list(of: .string), "Other names."),
        .written("required", \.requiredIDs, .list(of: .string), "The ids of the required characteristics."),
        .written("optional", \.optionalIDs, .list(of: .string), "The ids of the optional characteristics."),
        .written(
            "simulations",
            \.simulations,
            .list(of: .string),
            "The names of the models that can simulate it; the first one is the default."
        )
    )

    private static let characteristic = Format<CharacteristicDefinition>(
        response: "CharacteristicType",
        .written("type", \.shortType, .string, "The UUID, shortened."),
        .written("uuid", \.type.uuid.description, .string, "The whole UUID."),
        .written("id", \.id, .string, "The name in definitions."),
        .written("name", \.name, .string, "The name for people."),
        .written("aliases", \.aliases, .list(of: .string), "Other names."),
        .written("format", \.metadata.format.rawValue, .string, "The format of the values."),
        .written("permissions", \.permissions.names, .list(of: .string), "What controllers may do."),
        .written("adminOnly", \.adminOnly.names, .list(of: .string), "What only administrators may do."),
        .written("unit", \.metadata.unit?.rawValue, .string, "The unit."),
        .written("minimum", \.metadata.minimum, .number, "The least value."),
        .written("maximum", \.metadata.maximum, .number, "The greatest value."),
        .written("step", \.metadata.step, .number, "The step between values."),
        .written("first", \.firstNumber, .number, "The value in a new definition; 1 stands for true."),
        .written("minimumLength", \.metadata.minimumLength, .count, "The minimum number of bytes of a text."),
        .written("maximumLength", \.metadata.maximumLength, .count, "The maximum number of bytes of a text."),
        .written("maximumDataLength", \.metadata.maximumDataLength, .count, "The maximum number of bytes of data."),
        .written("validValues", \.metadata.validValues, .list(of: .number), "The allowed values, if not all are."),
        .written("valueNames", \.valueNames, .list(of: .valueName), "The names of values."),
        .written("bitNames", \.bitNames, .list(of: .valueName), "The names of bits."),
        .written("requiredBy", \.requiringServices, .list(of: .string), "The ids of the services that require it."),
        .written("optionalIn", \.optionalServices, .list(of: .string), "The ids of the services that may have it.")
    )
}

extension ServiceDefinition {
    fileprivate var shortType: String { type.uuid.shortened }
    fileprivate var requiredIDs: [String] { required.compactMap { Catalog.characteristic($0)?.id } }
    fileprivate var optionalIDs: [String] { optional.compactMap { Catalog.characteristic($0)?.id } }
    fileprivate var simulations: [String] {
        SimulationCatalog.models.filter { $0.services.contains(type) }.map(\.name)
    }
}

extension CharacteristicDefinition {
    fileprivate var shortType: String { type.uuid.shortened }
    fileprivate var requiringServices: [String] { requiredBy.map(\.id) }
    fileprivate var optionalServices: [String] { optionalIn.map(\.id) }
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
    package static let valueName = Format<CharacteristicDefinition.ValueName>(
        response: "ValueName",
        .written("value", \.value, .number, "The value."),
        .written("name", \.name, .string, "Its name.")
    )
}

extension CharacteristicDefinition {
    /// The services that require the characteristic.
    package var requiredBy: [ServiceDefinition] {
        Catalog.services.filter { $0.required.contains(type) }
    }

    /// The services in which the characteristic is optional.
    package var optionalIn: [ServiceDefinition] {
        Catalog.services.filter { $0.optional.contains(type) }
    }
}

extension AdminOnlyAccess {
    /// The names of the kinds of access in definitions.
    package var names: [String] {
        [(AdminOnlyAccess.read, "read"), (.write, "write"), (.notify, "notify")].filter { contains($0.0) }.map(\.1)
    }
}
