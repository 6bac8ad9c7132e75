internal import AccessoryModel
internal import Documents
internal import HAPCore

extension DefinitionSession {
    /// What a file says; `nil` when it does not say enough to look further.
    mutating func document(_ root: DocumentField) -> AccessoryDocument? {
        guard let members = root.node.mapping else {
            findings.report(root, "\(root.node.kind) stands where a map is expected; begin with \"accessory: NAME\"")
            return nil
        }
        func has(_ key: AccessoryKey) -> Bool { members.contains { $0.key == key.rawValue } }
        let isBridge = has(.bridge) || has(.accessories) && !has(.accessory)
        if let accessory = members.first(where: { $0.key == AccessoryKey.accessory.rawValue }), isBridge {
            findings.report(
                in: root.file,
                at: accessory.position,
                path: root.member(accessory).path,
                "a file has one accessory or one bridge; put the accessory under \"accessories\""
            )
        }
        let keys = isBridge ? AccessoryKey.bridging + [.accessory] : AccessoryKey.alone
        guard let map = DocumentMap(root, known: keys, hint: { Self.hint($0, isBridge: isBridge) }, &findings) else {
            return nil
        }
        if !isBridge, map.lacks(.accessory) {
            findings.report(root, "there is neither an accessory nor a bridge; begin with \"accessory: NAME\"")
        }
        if isBridge, map.lacks(.bridge), !has(.accessory) {
            findings.report(root, "accessories are behind a bridge, which has no name; begin with \"bridge: NAME\"")
        }
        isVerbatim = flag(map[.verbatim])
        let areFixed = areFixed(map)
        var accessories = [accessory(map, role: isBridge ? .bridge : .alone)]
        if isBridge {
            accessories += bridged(map, areFixed: areFixed)
        }
        number(&accessories, isFixed: areFixed)
        let main = accessories[0]
        let document = AccessoryDocument(
            key: text(map[.serverID], bytes: 1...255) ?? main.documented.key,
            name: main.name,
            category: category(map) ?? (isBridge ? .bridge : AccessoryCategory(following: main.mainType)),
            accessories: accessories.map(\.documented),
            deviceID: value(map[.deviceID], "device ID", "write six bytes as 1A:2B:3C:4D:5E:6F", { DeviceID($0) }),
            setupCode: value(
                map[.setupCode],
                "setup code",
                "write XXX-XX-XXX, and no simple sequence of digits",
                { SetupCode($0) }
            ),
            setupID: value(
                map[.setupID],
                "setup ID",
                "write four digits or capital letters, such as 7OSX",
                { SetupID($0) }
            ),
            configurationNumber: integer(map[.configuration], in: 1...65_535).map { UInt16($0) },
            isVerbatim: isVerbatim
        )
        if !isVerbatim {
            validate(document, accessories)
        }
        return document
    }

    private static func hint(_ key: String, isBridge: Bool) -> String? {
        switch AccessoryKey(rawValue: key) {
        case .accessories where !isBridge:
            "accessories are behind a bridge; write \"bridge: NAME\" in the place of \"accessory: NAME\""
        case .include: "files are included behind a bridge; write \"- include: FILE\" under \"accessories\""
        case .name: "this key is not known; write the name under \"\(isBridge ? "bridge" : "accessory")\""
        default: nil
        }
    }

    private mutating func bridged(_ map: DocumentMap<AccessoryKey>, areFixed: Bool) -> [DefinedAccessory] {
        guard let field = map[.accessories] else {
            findings.report(map.field, "a bridge has accessories behind it; list them under \"accessories\"")
            return []
        }
        let entries = list(field)
        if !isVerbatim, field.node.isEmptyList {
            findings.report(
                field,
                "a bridge has accessories behind it; list at least one, or write \"accessory\" for \"bridge\""
            )
        }
        let limit = AttributeDatabase.maximumAccessories - 1
        if entries.count > limit {
            findings.report(field, "\(entries.count) accessories are too many for a bridge; list at most \(limit)")
        }
        return entries.prefix(limit)
            .compactMap { entry -> DefinedAccessory? in
                if entry.node.mapping?.contains(where: { $0.key == AccessoryKey.include.rawValue }) == true {
                    return included(entry, areFixed: areFixed)
                }
                guard let map = DocumentMap(entry, known: AccessoryKey.bridged, hint: Self.bridgedHint, &findings)
                else {
                    return nil
                }
                if map.lacks(.accessory) {
                    findings.report(entry, "the accessory has no name; begin with \"accessory: NAME\"")
                }
                _ = category(map)
                return accessory(map, role: .bridged, isFixed: areFixed)
            }
    }

    private static func bridgedHint(_ key: String) -> String? {
        guard let key = AccessoryKey(rawValue: key) else { return nil }
        if AccessoryKey.ofServer.contains(key) {
            return "this belongs to the server; write it beside \"bridge\""
        }
        return switch key {
        case .name: "this key is not known; write the name under \"accessory\""
        case .bridge, .accessories: "a bridge is not behind another one; list its accessories here"
        default: nil
        }
    }

    /// An accessory that stands in another file.
    private mutating func included(_ entry: DocumentField, areFixed: Bool) -> DefinedAccessory? {
        guard let beside = DocumentMap(entry, known: AccessoryKey.including, hint: Self.includingHint, &findings),
            let field = beside[.include], let path = text(field), let root = included[path]
        else {
            return nil
        }
        remainingNodes -= root.node.count
        guard remainingNodes >= 0 else {
            findings.report(field, "the included files have too many values together; include less")
            return nil
        }
        guard let members = root.node.mapping else {
            findings.report(root, "\(root.node.kind) stands where a map is expected; begin with \"accessory: NAME\"")
            return nil
        }
        if members.contains(where: { $0.key == AccessoryKey.bridge.rawValue }) {
            findings.report(root, "this is a bridge, and is included behind another one; include its accessories")
            return nil
        }
        guard
            let map = DocumentMap(
                root,
                known: AccessoryKey.alone,
                hint: { Self.hint($0, isBridge: false) },
                &findings
            )
        else {
            return nil
        }
        if map.lacks(.accessory) {
            findings.report(root, "the accessory has no name; begin with \"accessory: NAME\"")
        }
        if let verbatim = map[.verbatim], flag(verbatim) {
            findings.report(verbatim, "what is verbatim is served as it stands, and not behind a bridge; remove this")
        }
        _ = category(map)
        let replacement = Replacement(name: beside[.name], id: beside[.id], aid: beside[.aid])
        var accessory = self.accessory(map, role: .bridged, isFixed: areFixed, replacement: replacement)
        accessory.field = entry
        return accessory
    }

    private static func includingHint(_ key: String) -> String? {
        switch AccessoryKey(rawValue: key) {
        case .accessory: "this key is not known beside \"include\"; write \"name\""
        case .include, nil: nil
        default: "this stands in the file that is included; change it there, or replace name, id or aid here"
        }
    }

    private mutating func category(_ map: DocumentMap<AccessoryKey>) -> AccessoryCategory? {
        map[.category].flatMap { category($0) }
    }

    /// A category by name or number; notes what is none.
    mutating func category(_ field: DocumentField) -> AccessoryCategory? {
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
        let nearest = scalar.flatMap { findings.spelling.nearest(to: $0.text, among: names) }
        findings.report(
            field,
            "there is no category \(field.node.kind); write "
                + (nearest ?? "a number from 1 to 255, or one of \(names.joined(separator: ", "))")
        )
        return nil
    }

    /// Holds the accessories against what every controller asks for.
    private mutating func validate(_ document: AccessoryDocument, _ accessories: [DefinedAccessory]) {
        for fault in AccessoryValidation.locatedFaults(in: document.declaration(isSimulated: false)) {
            let accessory = accessories[fault.accessory]
            var field = accessory.field
            if let service = fault.service {
                field = accessory.services[service].field
                if let characteristic = fault.characteristic {
                    let defined = accessory.services[service].characteristics[characteristic]
                    field = fault.isOfValue ? defined.valueField ?? defined.field : defined.field
                }
            }
            // What follows from something that is wrong already is not told again.
            if fault.service == nil, findings.hasErrors { continue }
            guard !findings.hasError(in: field.path.description, of: field.file) else { continue }
            let type = fault.characteristic.flatMap { position in
                fault.service.map { accessory.services[$0].characteristics[position].characteristic.type.description }
            }
            var subject = type.map { field.isNamed ? "" : "\($0): " } ?? ""
            if fault.service != nil, fault.characteristic == nil, fault.error.code == .missing,
                let missing = fault.error.path.split(separator: "/").last
            {
                subject = "\(missing): "
            }
            findings.report(field, subject + fault.error.reason)
        }
    }
}

extension DefinedAccessory {
    /// The type of its first service for people.
    fileprivate var mainType: ServiceType? {
        DefinitionStandard.mainType(of: services.lazy.map(\.type))
    }
}

extension DocumentField {
    /// Whether the end of its path says what it is.
    fileprivate var isNamed: Bool {
        switch path {
        case .root, .index: false
        case .key: true
        }
    }
}

extension DocumentNode {
    /// How many values it has, itself counted.
    fileprivate var count: Int {
        switch content {
        case .scalar: 1
        case .sequence(let elements): elements.reduce(1) { $0 + $1.count }
        case .mapping(let members): members.reduce(1) { $0 + 1 + $1.value.count }
        }
    }
}
