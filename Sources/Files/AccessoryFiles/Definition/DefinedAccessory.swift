internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HomeModel
internal import Simulation

/// An accessory or a bridge of a definition.
struct DefinedAccessory: Sendable {
    /// The role of an accessory in its file.
    enum Role: Int, CaseIterable {
        /// The only accessory.
        case standalone
        /// The bridge.
        case bridge
        /// An accessory behind the bridge.
        case bridged
        /// A bridged accessory that includes another file.
        case including
        /// The only accessory of an included file.
        case included
    }

    var name: Located<String>?
    var include: Located<String>?
    var id: Located<String>?
    var serverID: Located<String>?
    var category: AccessoryCategory?
    var manufacturer: Located<String>?
    var model: Located<String>?
    var serialNumber: Located<String>?
    var firmware: Located<String>?
    var setupCode: SetupCode?
    var setupID: SetupID?
    var deviceID: DeviceID?
    var configurationNumber: UInt16?
    var aid: Located<AccessoryID>?
    /// Whether an object without an id permanently gets the next one; `nil` if the file does not set it.
    var numbersAreFixed: Bool?
    var verbatim: Located<Bool>?
    var driver: Located<DriverSetting>?
    var services: [DefinedService] = []
    var accessories: [DefinedAccessory] = []
    /// The location of the list of services.
    var servicesLocation: SourceLocation?
    /// The location of the accessory.
    var location = SourceLocation(file: "")
}

// MARK: The table

extension DefinedAccessory {
    /// Returns the keys of an accessory, in the order in which they are written.
    static func properties(of role: Role, isVerbatim: Bool) -> [Property<DefinedAccessory>] {
        let (isBridge, isIncluding) = (role == .bridge, role == .including)
        let (isRoot, isListed) = (role != .bridged && !isIncluding, !isBridge && !isIncluding)
        let title = Format<Located<String>>.text(1...64, isVerbatim)
        let key = Format<Located<String>>.text(1...255, isVerbatim)
        let aid = Format<AccessoryID>.aid(isFirst: isRoot, isVerbatim).located()
        let number = Format<UInt64>.integer(in: 1...65_535).map({ UInt16(clamping: $0) }, { UInt64($0) })
        let service = DefinedService.format(isVerbatim: isVerbatim)
        let limits = isVerbatim ? nil : (isBridge ? 0 : 1)...AttributeDatabase.maximumServices
        let table: [Property<DefinedAccessory>?] = [
            .ignored("$schema", "The location of this schema.").when(isRoot),
            .optional("accessory", \.name, title, "The name of the accessory.").markedRequired().when(isListed),
            .refused("accessory").when(isBridge),
            .optional("bridge", \.name, title, "The name of the bridge.").markedRequired().when(isBridge),
            .optional("include", \.include, .text(), "The file of an accessory, relative to this one.")
                .markedRequired().when(isIncluding),
            .optional("name", \.name, title, "The name, which replaces the one in the file.").when(isIncluding),
            .optional("id", \.id, key, "The key that identifies it when it is renamed. Default: the name."),
            .optional("serverID", \.serverID, key, "The key of the server's saved state. Default: the id.")
                .when(isRoot),
            .optional(
                "category",
                \.category,
                .category,
                "The category that controllers show. Default: derived from its services."
            )
            .when(!isIncluding),
            .text("manufacturer", \.manufacturer, 0...64, "The manufacturer. Default: hap.", isVerbatim)
                .when(!isIncluding),
            .text("model", \.model, 1...64, "The model. Default: the name of its first service.", isVerbatim)
                .when(!isIncluding),
            .text(
                "serialNumber",
                \.serialNumber,
                2...64,
                "The serial number, of at least 2 bytes. Default: derived from the id.",
                isVerbatim
            )
            .when(!isIncluding),
            .text("firmware", \.firmware, nil, "The firmware version x, x.y or x.y.z. Default: 1.0.0.", isVerbatim)
                .when(!isIncluding),
            .optional(
                "setupCode",
                \.setupCode,
                .setupCode,
                "The setup code XXX-XX-XXX. Default: a random one, which is saved."
            )
            .when(isRoot),
            .optional(
                "setupID",
                \.setupID,
                .setupID,
                "The setup ID, four digits or capital letters. Default: a random one, which is saved."
            )
            .when(isRoot),
            .optional(
                "deviceID",
                \.deviceID,
                .deviceID,
                "The device ID XX:XX:XX:XX:XX:XX at the first start. Default: a random one, which is saved."
            )
            .when(isRoot),
            .optional(
                "configuration",
                \.configurationNumber,
                number,
                "The configuration number (c#) at the first start, which rises with changes. Default: 1."
            )
            .when(isRoot),
            .optional(
                "aid",
                \.aid,
                aid,
                "The accessory id. Default: 1 for the first accessory, then the next free one."
            ),
            .optional(
                "ids",
                \.numbersAreFixed,
                .numberingMode,
                "How ids that are not written are assigned: kept as saved, or fixed as the next ones. Default: "
                    + "kept, or the bridge's setting."
            )
            .when(!isIncluding),
            .optional(
                "verbatim",
                \.verbatim,
                Format<Bool>.boolean.located(),
                "Whether it is served unchanged, including errors and without additions. Default: false."
            )
            .when(isRoot),
            .custom(
                "driver",
                "What connects it to something that is not simulated: the name of a driver with its parameters. Default: "
                    + "none.",
                schema: Schema(tree: JSONSchema.reference("driver")),
                read: { field, accessory, reader in
                    accessory.driver = Format.driver.located().read(field, &reader)
                },
                write: { accessory, _ in accessory.driver.map { Format.driver.write($0.value) } }
            )
            .when(!isIncluding && !isBridge),
            .list("services", \.services, of: service, "Its services.", count: limits, evenEmpty: !isBridge)
                .refusing { $1.reportServicesByType($0) }
                .markedRequired(isListed).when(!isIncluding),
            accessories(isVerbatim: isVerbatim).when(isBridge),
        ]
        return table.compactMap(\.self)
    }

    /// Returns the key for the accessories of a bridge.
    private static func accessories(isVerbatim: Bool) -> Property<DefinedAccessory> {
        let most = AttributeDatabase.maximumAccessories - 1
        let items =
            JSONSchema.conditional(JSONSchema.reference("including"), when: JSONSchema.object(with: "include"))
            .members + [.init("else", JSONSchema.reference("bridged"))]
        let entry = Format<DefinedAccessory>(
            schema: Schema(tree: isVerbatim ? JSONSchema.reference("verbatimBridged") : .inlineMap(items)),
            read: { entry, reader in
                let isIncluding = entry.node.mapping?.contains { $0.key == "include" } == true
                return format(of: isIncluding ? .including : .bridged, isVerbatim: isVerbatim).read(entry, &reader)
            },
            write: { format(of: .bridged, isVerbatim: isVerbatim).write($0) }
        )
        return
            .list(
                "accessories",
                \.accessories,
                of: entry,
                "The accessories behind the bridge.",
                count: isVerbatim ? nil : 1...most
            ) { field, count, reader in
                if count == 0, !isVerbatim {
                    let remedy = "list at least one, or write \"accessory\" instead of \"bridge\""
                    reader.report(field, "a bridge needs accessories; \(remedy)")
                } else if count > most {
                    reader.report(field, "\(count) accessories are too many for a bridge; list at most \(most)")
                }
            }
            .markedRequired()
    }

    // MARK: Its formats

    private static let formats = [false, true]
        .map { isVerbatim in
            Role.allCases.map { object(of: $0, isVerbatim) }
        }

    /// Returns the format of an accessory.
    static func format(of role: Role, isVerbatim: Bool) -> Format<DefinedAccessory> {
        formats[isVerbatim ? 1 : 0][role.rawValue]
    }

    private static func object(of role: Role, _ isVerbatim: Bool) -> Format<DefinedAccessory> {
        ObjectFormat(tolerant: DefinedAccessory(), properties(of: role, isVerbatim: isVerbatim)) {
            map,
            accessory,
            reader in
            accessory.location = map.field.location
            accessory.servicesLocation = map["services"]?.location
            for (key, message) in requiredKeys(of: role) where map.isMissing(key) {
                if role == .bridge, key == "bridge", map["accessory"] != nil { continue }
                reader.report(map.field, message)
            }
        }
        .format(hint: { hint($0, role) })
    }

    private static func requiredKeys(of role: Role) -> [(key: String, message: String)] {
        let name =
            role == .standalone
            ? "there is neither an accessory nor a bridge; begin with \"accessory: NAME\""
            : "the accessory has no name; begin with \"accessory: NAME\""
        let services = "there are no services; list them under \"services\", such as \"- type: Switch\""
        return switch role {
        case .standalone, .bridged, .included: [("accessory", name), ("services", services)]
        case .including: []
        case .bridge:
            [
                ("bridge", "the bridge has no name; begin with \"bridge: NAME\""),
                ("accessories", "a bridge needs accessories; list them under \"accessories\""),
            ]
        }
    }

    /// Returns the advice for a key that belongs elsewhere.
    private static func hint(_ key: String, _ role: Role) -> String? {
        let isKnown = { (role: Role) in keys[role.rawValue].contains(key) }
        return switch (role, key) {
        case (.including, "accessory"): "unknown key next to \"include\"; write \"name\""
        case (.including, _) where isKnown(.bridge) || isKnown(.standalone):
            "this belongs in the included file; change it there, or replace name, id or aid here"
        case (.including, _): nil
        case (_, "name"): "unknown key; write the name under \"\(role == .bridge ? "bridge" : "accessory")\""
        case (.bridged, "bridge"), (.bridged, "accessories"):
            "a bridge cannot be behind another bridge; list its accessories here"
        case (.bridged, _) where isKnown(.standalone) && key != "$schema":
            "this is a property of the server; write it next to \"bridge\""
        case (.standalone, "accessories"), (.included, "accessories"):
            "only a bridge has accessories; write \"bridge: NAME\" instead of \"accessory: NAME\""
        case (_, "include") where role != .bridged:
            "only a bridge includes files; write \"- include: FILE\" under \"accessories\""
        default: nil
        }
    }

    private static let keys = Role.allCases.map { Set(properties(of: $0, isVerbatim: false).map(\.key.name)) }
}

extension Property<DefinedAccessory> {
    /// Returns the key for a characteristic of Accessory Information, which also checks its length.
    fileprivate static func text(
        _ key: String,
        _ path: any WritableKeyPath<DefinedAccessory, Located<String>?> & Sendable,
        _ bytes: ClosedRange<Int>?,
        _ documentation: String,
        _ isVerbatim: Bool
    ) -> Property {
        let refusal =
            "this key is not allowed in a verbatim accessory; write its value in the service AccessoryInformation"
        if isVerbatim { return .refused(key, refusal) }
        var format = Format<String>.text
        let version = Schema(.init("type", .list(["string", "number"])), .init("pattern", "^[0-9]+(\\.[0-9]+){0,2}$"))
        format.schema = bytes.map { Format.text(bytes: $0).schema } ?? version
        return .optional(key, path, format.located(), documentation)
    }
}

// MARK: Scalars

extension Format<String> {
    /// Returns the format of a text with a range of bytes; a verbatim file may contain any length.
    static func text(_ bytes: ClosedRange<Int>, _ isVerbatim: Bool) -> Format {
        isVerbatim ? .text : .text(bytes: bytes)
    }
}

extension Format<Located<String>> {
    /// Returns the format of a text within a length range; any length is allowed without a range, and in a verbatim
    /// file.
    static func text(_ bytes: ClosedRange<Int> = 0...(.max), _ isVerbatim: Bool = true) -> Format {
        Format<String>.text(bytes, isVerbatim).located()
    }
}

extension Format<UInt64> {
    /// Returns the format of an id, which may have up to 64 bits in a verbatim file.
    static func id(isVerbatim: Bool) -> Format {
        isVerbatim
            ? integer(in: 1...(.max)).defined(as: "verbatimID")
            : integer(in: 1...IdentifierMap.maximumID).defined(as: "iid")
    }
}

extension Format<AccessoryID> {
    fileprivate static func aid(isFirst: Bool, _ isVerbatim: Bool) -> Format {
        var format = Format<UInt64>.id(isVerbatim: isVerbatim).compactMap({ AccessoryID($0) }, { $0.rawValue })
        if isFirst, !isVerbatim { format.schema = Format<UInt64>.integer(in: 1...1).schema }
        return format
    }
}

extension Format<Bool> {
    fileprivate static let numberingMode = Format.word([("kept", false), ("fixed", true)])
}

extension Format<SetupCode> {
    fileprivate static let setupCode: Format = {
        let simple = (0...9).map { "\($0)\($0)\($0)-\($0)\($0)-\($0)\($0)\($0)" } + ["123-45-678", "876-54-321"]
        let remedy = "write XXX-XX-XXX, but not a simple sequence of digits"
        return
            Format
            .parsed("setup code", remedy, pattern: SetupCode.pattern, read: { SetupCode($0) }, write: { $0.text })
            .schema(
                .init("type", .list(["string", "integer"])),
                .init("pattern", .text(SetupCode.pattern)),
                .init("not", JSONSchema.words(simple))
            )
    }()
}

extension Format<SetupID> {
    fileprivate static let setupID =
        Format.parsed(
            "setup ID",
            "write four digits or capital letters, such as 7OSX",
            pattern: "^[0-9A-Z]{4}$",
            read: { SetupID($0) },
            write: { $0.text }
        )
        .schema(.init("type", .list(["string", "number"])), .init("pattern", "^[0-9A-Z]{4}$"))
}

extension Format<DeviceID> {
    fileprivate static let deviceID = Format.parsed(
        "device ID",
        "write six bytes as 1A:2B:3C:4D:5E:6F",
        pattern: "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$",
        read: { DeviceID($0) },
        write: { $0.text }
    )
}
