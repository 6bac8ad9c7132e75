internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HAPServer
internal import Resources

/// An accessory with its services, as the API shows it.
struct AccessoryResource: Sendable {
    var aid: UInt64
    var name: String
    var services: [ServiceResource]

    static let format = Format<AccessoryResource>(
        response: "Accessory",
        .written("aid", \.aid, .id, "The id of the accessory."),
        .written("name", \.name, .string, "The name of the accessory."),
        .written("services", \.services, .list(of: ServiceResource.format), "The services.")
    )
}

/// A service with its characteristics, as the API shows it.
struct ServiceResource: Sendable {
    var iid: UInt64
    var type: String
    var typeName: String
    var name: String
    var isPrimary: Bool
    var isHidden: Bool
    var isSimulated: Bool
    var isDriven: Bool
    var readings: [DeviceReading]
    var characteristics: [CharacteristicResource]

    static let format = Format<ServiceResource>(
        response: "Service",
        .written("iid", \.iid, .id, "The id of the service within its accessory."),
        .written("type", \.type, .string, "The UUID of the type, shortened for Apple's types."),
        .written("typeName", \.typeName, .string, "The name of the type."),
        .written("name", \.name, .string, "The name of the service."),
        .written("primary", \.isPrimary, .boolean, "Whether it is the main service of the accessory."),
        .written("hidden", \.isHidden, .boolean, "Whether home apps hide the service."),
        .written("simulated", \.isSimulated, .boolean, "Whether a model changes its values."),
        .written("driven", \.isDriven, .boolean, "Whether a driver answers for it."),
        .written("readings", \.readings, .list(of: reading), "What the device does that no characteristic shows."),
        .written("characteristics", \.characteristics, .list(of: CharacteristicResource.format), "The characteristics.")
    )

    private static let value = Format<DeviceReading.Value>(
        written: Schema(.init("type", .list(["number", "string"])))
    ) { value in
        switch value {
        case .number(let number): JSONNumber(number).map(DocumentTree.number) ?? .null
        case .text(let text): .text(text)
        }
    }

    static let reading = Format<DeviceReading>(
        response: "Reading",
        .written("name", \.name, .string, "The name of the reading."),
        .written("value", \.value, value, "The number or the text."),
        .written("unit", \.unit, .string, "The unit; empty without one.")
    )
}

/// A characteristic with its value, as the API shows it.
struct CharacteristicResource: Sendable {
    var id: CharacteristicID
    var described: CharacteristicDescription
    var value: CharacteristicValue?
    var subscribers: Int

    static let format = Format<CharacteristicResource>(
        response: "Characteristic",
        .written("id", \.id.description, .string, "The characteristic as aid.iid."),
        .written("type", \.type, .string, "The UUID of the type, shortened for Apple's types."),
        .written("name", \.described.name, .string, "The name of the type, or a vendor's description."),
        .written("value", \.value, .nullable(.value), "The current value; null if there is none."),
        .written("valueText", \.valueText, .string, "The value in words, with its unit."),
        .written("format", \.described.metadata.format.rawValue, .string, "The format of the values."),
        .written(
            "permissions",
            \.described.permissions.names,
            .list(of: .string),
            "What controllers may do: pr, pw, ev, aa, tw, hd, wr."
        ),
        .written("unit", \.unit, .string, "The unit."),
        .written("minimum", \.described.metadata.minimum, .number, "The least value."),
        .written("maximum", \.described.metadata.maximum, .number, "The greatest value."),
        .written("step", \.described.metadata.step, .number, "The step between values."),
        .written("validValues", \.validValues, .list(of: .number), "The allowed values, if not all are."),
        .written("valueNames", \.valueNames, .list(of: .valueName), "The names of the allowed values."),
        .written("subscribers", \.subscribers, .count, "The number of controllers that are notified of changes.")
    )

    private var type: String { described.type.uuid.shortened }
    private var valueText: String { described.text(of: value) }
    private var unit: String? { described.metadata.unit?.rawValue }
    private var validValues: [JSONNumber]? {
        described.metadata.validValues.isEmpty ? nil : described.metadata.validValues
    }
    private var valueNames: [CharacteristicDefinition.ValueName]? {
        let names = described.metadata.namedValues.compactMap { number in
            described.name(of: .number(number)).map { CharacteristicDefinition.ValueName($0, number) }
        }
        return names.isEmpty ? nil : names
    }
}

extension CharacteristicMetadata {
    /// The values that can have names: the valid values, or those of a small range.
    fileprivate var namedValues: [JSONNumber] {
        guard validValues.isEmpty else { return validValues }
        guard format != .float, let least = (minimum ?? 0).integer(as: Int32.self),
            let greatest = maximum?.integer(as: Int32.self), 0...255 ~= Int(greatest) - Int(least)
        else { return [] }
        return (least...greatest).map { JSONNumber($0) }
    }
}

/// The state of a simulated service that no characteristic shows, as the API shows it.
struct ReadingsResource: Sendable {
    var aid: UInt64
    var iid: UInt64
    var readings: [DeviceReading]

    static let format = Format<ReadingsResource>(
        response: "Readings",
        .written("aid", \.aid, .id, "The id of the accessory."),
        .written("iid", \.iid, .id, "The id of the service within its accessory."),
        .written("readings", \.readings, .list(of: ServiceResource.reading), "The readings.")
    )
}

extension RegisteredCharacteristic {
    /// The properties, as controllers learn them.
    var described: CharacteristicDescription {
        CharacteristicDescription(
            type: type,
            permissions: permissions,
            metadata: announcedMetadata,
            description: description
        )
    }
}

extension AccessoryServer {
    /// The accessories with their current values, as of one instant.
    func resources() -> [AccessoryResource] {
        attributes.resources { key, aid in readings(of: key, in: aid) }
    }

    /// The readings of all simulated services that have some.
    func readings() -> [ReadingsResource] {
        attributes.services.compactMap { service in
            guard service.behavior != nil else { return nil }
            let readings = readings(of: service.key, in: service.aid)
            guard !readings.isEmpty else { return nil }
            return ReadingsResource(aid: service.aid.rawValue, iid: service.iid.rawValue, readings: readings)
        }
    }

    /// Returns one characteristic with its current value, or `nil` if there is none with this id.
    func resource(of id: CharacteristicID) -> CharacteristicResource? {
        attributes.index(of: id).map { attributes.resource(at: $0) }
    }
}

extension AttributeDatabase {
    /// Returns the accessories with their values.
    ///
    /// - Parameter readings: Returns the readings of a service.
    func resources(
        readings: (ServiceKey, AccessoryID) -> [DeviceReading] = { _, _ in [] }
    ) -> [AccessoryResource] {
        accessories.map { aid in
            let services = services.filter { $0.aid == aid }
            let resources = services.map { service in
                let characteristics = service.characteristics.map { resource(at: $0) }
                let given =
                    characteristics.first { $0.described.type == .configuredName }?.value?.string
                    ?? characteristics.first { $0.described.type == .name }?.value?.string
                return ServiceResource(
                    iid: service.iid.rawValue,
                    type: service.key.type.uuid.shortened,
                    typeName: service.key.type.description,
                    name: service.key.type == .accessoryInformation
                        ? service.key.type.description : given ?? service.key.type.description,
                    isPrimary: service.isPrimary,
                    isHidden: service.isHidden,
                    isSimulated: service.behavior != nil,
                    isDriven: service.isDriven,
                    readings: readings(service.key, aid),
                    characteristics: characteristics
                )
            }
            let name = index(of: .name, in: aid).flatMap { value(at: $0)?.string }
            return AccessoryResource(aid: aid.rawValue, name: name ?? "Accessory \(aid)", services: resources)
        }
    }

    fileprivate func resource(at index: Int) -> CharacteristicResource {
        let characteristic = characteristics[index]
        return CharacteristicResource(
            id: characteristic.id,
            described: characteristic.described,
            value: value(at: index),
            subscribers: subscriptions.subscribers(of: index).count
        )
    }
}
