internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// A service as a definition writes it.
struct DefinedService: Sendable {
    /// What a file says of it, as far as that does not depend on other services.
    var fileService = FileService(ServiceDescription(key: ServiceKey(.accessoryInformation), characteristics: []))
    /// Its name, wherever that is written.
    var name: Located<String>?
    /// What tells it from others of its type, as far as it is written.
    var id: String?
    var iid: Located<InstanceID>?
    /// What it says of the services that belong with it.
    var links: [Located<ServiceLink>] = []
    /// Where it says what moves its values.
    var simulation: DocumentField?
    /// Whether characteristics are added that its type requires.
    var isComplete = true
    /// What is written of its characteristics, and what is added.
    var characteristics: [DefinedCharacteristic] = []
    /// Where it is, or what it follows from.
    var location = SourceLocation(file: "")

    var type: ServiceType { fileService.key.type }
}

/// What refers to a service of the same accessory.
enum ServiceLink: Sendable, Hashable {
    /// Its id, its name or its type.
    case text(String)
    /// Its type with its id.
    case key(ServiceKey)
}

// MARK: The table

extension DefinedService {
    /// The keys of a service, in the order in which they are written.
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
                "The characteristic Name; without it, none."
            ),
            .optional(
                "id",
                \.id,
                .text(0...255, isVerbatim),
                "Tells services of one type apart, across edits; without it, its name, none for the first of its type."
            ),
            .optional(
                "iid",
                \.iid,
                Format<InstanceID>.iid(isVerbatim: isVerbatim).located(),
                "The instance id; without it, the one that it had, or the next free one."
            ),
            .defaulted(
                "primary",
                \.fileService.description.isPrimary,
                .boolean,
                "Whether it is the accessory's main service, one at most; without it, false."
            ),
            .defaulted(
                "hidden",
                \.fileService.description.isHidden,
                .boolean,
                "Whether people do not see it; without it, false."
            ),
            .list(
                "linked",
                \.links,
                of: Format<ServiceLink>.link.located(),
                "Services of this accessory that belong with it, each an id, a name, or a type that occurs once."
            ),
            .custom(
                "simulate",
                "What moves its values; without it, auto.",
                schema: Schema(tree: JSONSchema.reference("simulate")),
                read: { field, service, _ in service.simulation = field },
                write: { $0.fileService.simulation == $1.fileService.simulation ? nil : $0.documentSimulation }
            ),
            .defaulted(
                "complete",
                \.isComplete,
                .boolean,
                "Whether the characteristics are added that its type requires; without it, true."
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

    /// How a service is written.
    static func format(isVerbatim: Bool) -> Format<DefinedService> {
        formats[isVerbatim ? 1 : 0]
    }
}

extension Format<DefinedService> {
    /// The same format, which explains how to write a service of which only the type is given.
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
    /// The service that a name or a word of everyday language refers to.
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
            "services are a list; write \"- type: \(type.id)\", and what it has under \"characteristics:\""
        )
        return true
    }
}

extension Format<InstanceID> {
    static func iid(isVerbatim: Bool) -> Format {
        Format<UInt64>.id(isVerbatim: isVerbatim).compactMap({ InstanceID($0) }, { $0.rawValue })
    }
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
                ?? reader.nearest(to: text, among: Catalog.services.lazy.flatMap { [$0.id] + $0.aliases })
            reader.report(
                field,
                "there is no service \(text.quotedForDisplay); "
                    + (nearest.map { "write \($0)" } ?? "see \"hap types\", or write a vendor's UUID")
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

/// The services of an accessory by everything that a link may name them by.
struct DefinedServiceIndex: Sendable {
    private var keys: [ServiceKey: [ServiceKey]] = [:]
    private var ids: [String: [ServiceKey]] = [:]
    private var names: [String: [ServiceKey]] = [:]
    private var types: [ServiceType: [ServiceKey]] = [:]

    /// Takes the key of each service with the id and the name that are written.
    init(_ services: some Sequence<(key: ServiceKey, id: String?, name: String?)>) {
        for service in services {
            keys[service.key, default: []].append(service.key)
            types[service.key.type, default: []].append(service.key)
            if let id = service.id { ids[id, default: []].append(service.key) }
            if let name = service.name { names[name, default: []].append(service.key) }
        }
    }

    /// The services to which a link refers: those with the key; else those with the id, else with the name, else of the
    /// type.
    func services(matching link: ServiceLink) -> [ServiceKey] {
        switch link {
        case .key(let key): keys[key] ?? []
        case .text(let text): ids[text] ?? names[text] ?? ServiceType(nameOrUUID: text).flatMap { types[$0] } ?? []
        }
    }
}
