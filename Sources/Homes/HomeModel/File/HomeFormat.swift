internal import AccessoryModel
package import Documents
package import HAPCore

// The formats of homes and their objects in home files: a table of fields for each object.

extension Format<HomeDocument> {
    /// A home, or a list of homes.
    package static let homeFile: Format = {
        let listing = ObjectFormat(
            HomeDocument(),
            [
                .ignored("$schema", "The location of this schema."),
                .required(
                    "homes",
                    \.homes,
                    .list(of: .home.defined(as: "oneOfSeveral"), maximumCount: HomeLimits.homes),
                    "Several homes."
                ),
            ]
        )
        .format { key in
            HomeDescription.properties.contains { $0.key.name == key }
                ? "this belongs to a home; write it under one of \"homes\"" : nil
        }
        let alone = ObjectFormat(
            HomeDescription.blank,
            [.ignored("$schema", "The location of this schema.")] + HomeDescription.properties
        )
        .format()
        return listing.orShorthand(
            alone,
            when: { node in !(node.mapping?.contains { $0.key == "homes" } ?? false) },
            make: { HomeDocument(homes: [$0]) },
            take: { $0.homes.count == 1 ? $0.homes[0] : nil }
        )
    }()

    /// Returns the text of the JSON Schema of home files.
    ///
    /// The schema rejects the same files as the reader, except for errors that depend on the accessories.
    package static func homeSchema() -> [UInt8] {
        Format.homeFile.schema.fileContents(
            title: "A home, or several",
            "A home with its rooms, accessories, scenes and automations; see docs/homes.md."
        )
    }
}

extension Format<HomeDescription> {
    static let home = ObjectFormat(HomeDescription.blank, HomeDescription.properties).format()
}

extension HomeDescription {
    fileprivate static let blank = HomeDescription(name: Located(.entireHome))

    fileprivate static let properties: [Property<HomeDescription>] = [
        .required(
            "home",
            \.name,
            .name,
            "The name of the home.",
            missing: "the home has no name; begin with \"home: NAME\""
        ),
        .defaulted("primary", \.isPrimary, .boolean, "Whether this home is used when no home is named."),
        .optional("place", \.place, FieldFormat.place, "The location, needed for sunrise and sunset."),
        .optional(
            "timeZone",
            \.timeZone,
            FieldFormat.timeZone,
            "The IANA name, such as Europe/Berlin. Default: the machine's time zone."
        ),
        .defaulted("rooms", \.rooms, .list(of: .name, maximumCount: HomeLimits.rooms), "Its rooms."),
        .defaulted(
            "zones",
            \.zones,
            .byName(FieldFormat.references, maximumCount: HomeLimits.zones),
            "Areas of several rooms, by name."
        ),
        .defaulted(
            "accessories",
            \.accessories,
            .list(of: .accessory, maximumCount: HomeLimits.accessories),
            "Its accessories."
        ),
        .defaulted(
            "groups",
            \.groups,
            .byName(FieldFormat.references, maximumCount: HomeLimits.serviceGroups),
            "Services controlled together, by name."
        ),
        .defaulted(
            "scenes",
            \.scenes,
            .byName(.scene.defined(as: "scene"), maximumCount: HomeLimits.scenes),
            "Actions run together, by name."
        ),
        .defaulted(
            "automations",
            \.automations,
            .byName(.automation.defined(as: "automation"), maximumCount: HomeLimits.automations),
            "Rules that run automatically, by name."
        ),
        .defaulted(
            "users",
            \.users,
            .byName(FieldFormat.user.defined(as: "user"), maximumCount: HomeLimits.users),
            "People with access, by name; one of them is the owner."
        ),
    ]
}

// MARK: Accessories

extension Format<HomeDescription.Accessory> {
    fileprivate static let accessory = ObjectFormat(
        HomeDescription.Accessory(accessory: Located("")),
        [
            .required(
                "accessory",
                \.accessory,
                .reference,
                "The alias of a pairing, or the name of a served accessory.",
                missing: "the accessory is not named; begin with \"accessory: NAME\""
            ),
            .optional(
                "name",
                \.name,
                .name,
                "Its name in the home. Default: its current name in the home, or else its own name."
            ),
            .optional(
                "room",
                \.room,
                .reference,
                "Its room. Default: its current room, or none for a new accessory."
            ),
            .optional("bridge", \.bridge, .reference, "The bridge that it is behind."),
            .optional(
                "deviceID",
                \.deviceID,
                FieldFormat.deviceID,
                "The device ID of its server, needed if its name is ambiguous."
            ),
            .optional("aid", \.aid, FieldFormat.accessoryID, "Its accessory ID in that server. Default: 1."),
            .optional(
                "category",
                \.category,
                .category,
                "Its category, used until the accessory is found."
            ),
            .optional(
                "definition",
                \.definition,
                Format<String>.text(bytes: 1...4_096).located(),
                "The accessory file, relative to this file; a process that runs the home serves it."
            ),
            .defaulted("services", \.services, .services, "Its services, by type, `Type (2)` or name."),
        ]
    )
    .format()
    .orShorthand(.reference, make: { HomeDescription.Accessory(accessory: $0) }, take: { _ in nil })
    .defined(as: "placement")
}

extension Format<[HomeDescription.Service]> {
    /// A map of services by their keys; a service that has only a name is written as that name.
    fileprivate static let services = Format.members(
        of: HomeDescription.Service.format,
        example: "Lightbulb: NAME",
        make: { key, location, service, _ in
            var service = service
            service?.key = Located(key, at: location)
            return service
        },
        take: { ($0.key.value, $0) }
    )
}

extension HomeDescription.Service {
    private static let properties: [Property<HomeDescription.Service>] = [
        .optional("type", \.type, FieldFormat.serviceType, "Its type, used until the accessory is found."),
        .optional("name", \.name, .name, "Its name in the home."),
        .optional("room", \.room, .reference, "Its room. Default: the room of its accessory."),
        .optional("as", \.associatedType, FieldFormat.associatedType, "The type that an outlet or a switch counts as."),
    ]

    /// A service without its key.
    fileprivate static let format = ObjectFormat(HomeDescription.Service(key: Located("")), properties)
        .format(isInline: true)
        .orShorthand(
            .name,
            make: { HomeDescription.Service(key: Located(""), name: $0) },
            take: { $0.type == nil && $0.room == nil && $0.associatedType == nil ? $0.name : nil }
        )
}

// MARK: Single values

/// Formats of single fields.
private enum FieldFormat {
    /// The names of rooms or services.
    static let references = Format<[Located<String>]>.list(of: .reference)

    static let timeZone = Format<String>.text
        .schema(.init("type", "string"), .init("pattern", "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$"))
        .located()

    static let place = ObjectFormat<GeographicPlace>(
        .required(
            "latitude",
            degrees(90, "latitude"),
            "Degrees north of the equator.",
            missing: "there is no latitude; write it in degrees"
        ),
        .required(
            "longitude",
            degrees(180, "longitude"),
            "Degrees east of Greenwich.",
            missing: "there is no longitude; write it in degrees"
        ),
        make: { latitude, longitude throws(ObjectError) in
            guard let place = GeographicPlace(latitude: latitude, longitude: longitude) else { throw ObjectError() }
            return place
        },
        take: { ($0.latitude, $0.longitude) }
    )
    .format(isInline: true)

    /// Returns the format of degrees between a negative and a positive limit.
    static func degrees(_ limit: Int, _ name: String) -> Format<Double> {
        Format<Double>(
            schema: Schema(
                .init("type", "number"),
                .init("minimum", .number(JSONNumber(-limit))),
                .init("maximum", .number(JSONNumber(limit)))
            ),
            read: { field, reader in
                if case .number(let number) = field.node.scalar?.meaning, abs(number.double) <= Double(limit) {
                    return number.double
                }
                reader.report(
                    field,
                    "\(field.node.kind) is not a \(name); write degrees from -\(limit) to \(limit)"
                )
                return nil
            },
            write: { .number(JSONNumber($0) ?? 0) }
        )
    }

    static let user: Format<UserAccess> = {
        let role = Format<UserRole>.word(UserRole.allCases.map { ($0.rawValue, $0) })
        return ObjectFormat<UserAccess>(
            .required(
                "role",
                role,
                "The role of the user.",
                missing: "the user has no role; write owner, administrator or member"
            ),
            .optional("remote", .boolean, "Whether the user may access the home remotely.", default: false),
            make: { UserAccess(role: $0, isRemote: $1) },
            take: { ($0.role, $0.isRemote) }
        )
        .format(isInline: true)
        .orShorthand(
            role,
            when: { $0.mapping == nil },
            make: { UserAccess(role: $0) },
            take: { $0.isRemote ? nil : $0.role }
        )
    }()

    static let serviceType: Format<ServiceType> =
        locatedServiceType
        .map({ (type: Located<ServiceType>) in type.value }, { Located($0) })

    /// The types that an outlet or a switch may count as.
    static let associatedType =
        locatedServiceType
        .schema(.init("enum", .list(AssociatedTypes.allowed.map { .text($0.nameOrUUID) })))

    static let locatedServiceType = Format<Located<ServiceType>>(
        schema: Format<String>.name.schema,
        read: { field, reader in
            guard let text = reader.text(field) else { return nil }
            if text.utf8.count <= 64, let type = ServiceType(nameOrUUID: text) {
                return Located(type, at: field.location)
            }
            let nearest = reader.nearest(to: text, among: Catalog.services.lazy.map(\.id))
            reader.report(
                field,
                "there is no service type \(text.quotedForDisplay); write \(nearest ?? "a name from Apple's catalog")"
            )
            return nil
        },
        write: { .text($0.value.nameOrUUID) }
    )

    static let deviceID = Format<DeviceID>
        .parsed(
            "device ID",
            "write six bytes as 1A:2B:3C:4D:5E:6F",
            pattern: "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$",
            read: { DeviceID($0) },
            write: \.description
        )

    static let accessoryID = Format<UInt64>.integer(in: 1...IdentifierMap.maximumID)
        .map({ (number: UInt64) -> AccessoryID in AccessoryID(number) ?? .primary }, { $0.rawValue })
}

extension Format<AccessoryCategory> {
    /// A category by name or number.
    package static let category = Format(
        schema: Schema(
            tree: JSONSchema.any(of: [
                JSONSchema.words(AccessoryCategory.names.map(\.name)),
                JSONSchema.schema(
                    .init("type", "integer"),
                    .init("minimum", .number(1)),
                    .init("maximum", .number(255))
                ),
            ])
        ),
        read: { field, reader in
            let scalar = field.node.scalar
            if case .number(let number) = scalar?.meaning, let raw = number.integer(as: UInt8.self),
                let category = AccessoryCategory(raw)
            {
                return category
            }
            if case .text = scalar?.meaning, let text = scalar?.text, let category = AccessoryCategory(named: text) {
                return category
            }
            let names = AccessoryCategory.names.map(\.name)
            let nearest = scalar.flatMap { reader.nearest(to: $0.text, among: names) }
            reader.report(
                field,
                "there is no category \(field.node.kind); write "
                    + (nearest ?? "a number from 1 to 255, or one of \(names.joined(separator: ", "))")
            )
            return nil
        },
        write: { category in
            let name = category.description
            return AccessoryCategory(named: name) == nil ? .number(JSONNumber(category.rawValue)) : .text(name)
        }
    )
}
