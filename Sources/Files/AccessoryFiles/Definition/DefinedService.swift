internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// A service of a definition.
struct DefinedService: Sendable {
    /// The properties that do not depend on other services.
    var fileService = FileService(ServiceDescription(key: ServiceKey(.accessoryInformation), characteristics: []))
    /// Its name, from its own key or from its characteristic.
    var name: Located<String>?
    /// Its id in the file, which distinguishes it from other services of its type.
    var id: String?
    var iid: Located<InstanceID>?
    /// Its links to other services.
    var links: [Located<ServiceLink>] = []
    /// The field of its simulation model.
    var simulation: DocumentField?
    /// Whether the characteristics that its type requires are added.
    var isComplete = true
    /// Its characteristics, both written and added.
    var characteristics: [DefinedCharacteristic] = []
    /// Its location, or the location of the part of the file that implies it.
    var location = SourceLocation(file: "")

    var type: ServiceType { fileService.key.type }
}

/// A reference to a service of the same accessory.
enum ServiceLink: Sendable, Hashable {
    /// The id, the name or the type.
    case text(String)
    /// The type and the id.
    case key(ServiceKey)
}

// MARK: The table

extension DefinedService {
    /// Returns the keys of a service, in the order in which they are written.
    static func properties(isVerbatim: Bool) -> [Property<DefinedService>] {
        [
            .required(
                "type",
                \.fileService.description.key.type,
                .serviceType,
                "A name of Apple's catalog, or a vendor's UUID.",
                missing: "the service has no type; add one, such as \"type: Switch\""
            ),
            .optional(
                "name",
                \.name,
                .text(0...64, isVerbatim),
                "The characteristic Name. Default: none."
            ),
            .optional(
                "id",
                \.id,
                .text(0...255, isVerbatim),
                "The id that distinguishes services of one type across edits. Default: its name; none for the first "
                    + "of its type."
            ),
            .optional(
                "iid",
                \.iid,
                Format<InstanceID>.iid(isVerbatim: isVerbatim).located(),
                "The instance id. Default: the saved one, or the next free one."
            ),
            .defaulted(
                "primary",
                \.fileService.description.isPrimary,
                .boolean,
                "Whether it is the accessory's main service; at most one is. Default: false."
            ),
            .defaulted(
                "hidden",
                \.fileService.description.isHidden,
                .boolean,
                "Whether it is hidden from users. Default: false."
            ),
            .list(
                "linked",
                \.links,
                of: Format<ServiceLink>.link.located(),
                "The linked services of this accessory, each by its id, its name, or a type that occurs once."
            ),
            .custom(
                "simulate",
                "The simulation of its values. Default: auto.",
                schema: Schema(tree: JSONSchema.reference("simulate")),
                read: { field, service, _ in service.simulation = field },
                write: { $0.fileService.simulation == $1.fileService.simulation ? nil : $0.documentSimulation }
            ),
            .defaulted(
                "complete",
                \.isComplete,
                .boolean,
                "Whether the characteristics that its type requires are added. Default: true."
            ),
            .custom(
                "characteristics",
                "Its characteristics by name.",
                schema: Schema(
                    tree: JSONSchema.reference(isVerbatim ? "verbatimCharacteristics" : "characteristics")
                ),
                read: { field, service, reader in
                    service.characteristics = DefinedCharacteristic.all(in: field, isVerbatim: isVerbatim, &reader)
                },
                write: { service, _ in
                    let members = service.characteristics.map { $0.member(isVerbatim: isVerbatim) }
                    return members.isEmpty ? nil : .map(members)
                }
            ),
        ]
    }

    private static let formats = [false, true]
        .map { isVerbatim in
            var blank = DefinedService()
            if isVerbatim { blank.fileService.simulation = .none }
            return ObjectFormat(tolerant: blank, properties(isVerbatim: isVerbatim)) { map, service, _ in
                service.location = map.field.location
            }
            .format().refusingBareTypes().defined(as: isVerbatim ? "verbatimService" : "service")
        }

    /// Returns the format of a service.
    static func format(isVerbatim: Bool) -> Format<DefinedService> {
        formats[isVerbatim ? 1 : 0]
    }
}

extension Format<DefinedService> {
    /// Returns the same format, with a hint for a service that is written as its type alone.
    fileprivate func refusingBareTypes() -> Format {
        var format = self
        format.read = { [read] field, reader in
            guard let text = field.node.scalar?.text, let type = reader.catalogService(named: text) else {
                return read(field, &reader)
            }
            reader.report(field, "a service is a map; write \"- type: \(type.id)\"")
            return nil
        }
        return format
    }
}

extension DocumentReader {
    /// Returns the service for a name or an everyday word.
    fileprivate func catalogService(named text: String) -> ServiceDefinition? {
        Catalog.service(named: text) ?? Catalog.services(named: text).first
    }

    /// Reports services that are written as a map of types, and explains how to write them.
    ///
    /// - Returns: Whether the services are written as a map of types.
    mutating func reportServicesByType(_ field: DocumentField) -> Bool {
        guard let member = field.node.mapping?.first, let type = catalogService(named: member.key) else { return false }
        report(
            field,
            "services are a list; write \"- type: \(type.id)\", and its characteristics under \"characteristics:\""
        )
        return true
    }
}

extension Format<InstanceID> {
    static func iid(isVerbatim: Bool) -> Format {
        Format<UInt64>.id(isVerbatim: isVerbatim).compactMap({ InstanceID($0) }, { $0.rawValue })
    }
}

extension Catalog {
    /// The names of the services, for suggestions.
    fileprivate static let serviceNames = services.flatMap { [$0.id] + $0.aliases }
}

extension Format<ServiceType> {
    /// A name of the catalog, or a UUID.
    fileprivate static let serviceType = Format(
        schema: Schema(tree: JSONSchema.reference("serviceType")),
        read: { field, reader in
            guard let text = reader.text(field) else { return nil }
            if let type = ServiceType(nameOrUUID: text), Catalog.service(type) != nil || text.utf8.count == 36 {
                return type
            }
            let nearest =
                Catalog.services(named: text).first?.id
                ?? reader.nearest(to: text, among: Catalog.serviceNames)
            reader.report(
                field,
                "there is no service \(text.quotedForDisplay); "
                    + (nearest.map { "write \($0)" }
                        ?? "write a name from Apple's catalog (docs/definitions.md), or a vendor's UUID")
            )
            return nil
        },
        write: { .text($0.nameOrUUID) }
    )
}

extension Format<ServiceLink> {
    fileprivate static let link = ObjectFormat(
        Field.required(
            "type",
            .serviceType,
            "",
            missing: "the service has no type; add one, such as \"type: Switch\""
        ),
        Field.optional("id", .text, "", default: ""),
        make: { ServiceLink.key(ServiceKey($0, subtype: $1)) },
        take: { link in
            guard case .key(let key) = link else { return nil }
            return (key.type, key.subtype)
        }
    )
    .format(isInline: true)
    .orShorthand(
        .text,
        when: { $0.mapping == nil },
        make: { .text($0) },
        take: { link in
            guard case .text(let text) = link else { return nil }
            return text
        }
    )
}

// MARK: Services by what refers to them

/// The services of an accessory, by all names that a link may use.
struct DefinedServiceIndex: Sendable {
    private var keys: [ServiceKey: [ServiceKey]] = [:]
    private var ids: [String: [ServiceKey]] = [:]
    private var names: [String: [ServiceKey]] = [:]
    private var types: [ServiceType: [ServiceKey]] = [:]

    /// Creates an index from the key of each service and its id and name in the file.
    init(_ services: some Sequence<(key: ServiceKey, id: String?, name: String?)>) {
        for service in services {
            keys[service.key, default: []].append(service.key)
            types[service.key.type, default: []].append(service.key)
            if let id = service.id { ids[id, default: []].append(service.key) }
            if let name = service.name { names[name, default: []].append(service.key) }
        }
    }

    /// Returns the services for a link: those with the key, or else those with the id, the name or the type, in this
    /// order.
    func services(matching link: ServiceLink) -> [ServiceKey] {
        switch link {
        case .key(let key): keys[key] ?? []
        case .text(let text): ids[text] ?? names[text] ?? ServiceType(nameOrUUID: text).flatMap { types[$0] } ?? []
        }
    }
}
