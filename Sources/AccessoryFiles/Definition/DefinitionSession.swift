internal import AccessoryModel
internal import Documents
internal import HAPCore

/// One reading of a definition with the files that it includes.
struct DefinitionSession {
    /// What reads texts, flags and numbers, and collects what is wrong.
    var reader = DocumentReader()
    /// Whether the file is a picture of a real device, in which nothing is added or corrected.
    var isVerbatim = false
    /// The files that are included, by the name as it is written; `nil` for one that cannot be read.
    private var included: [String: DocumentField?] = [:]
    /// How many bytes the included files may still have.
    private var remainingBytes = DefinitionReader.maximumIncludedSize
    /// How many values the included files may still have, those of a file counted each time that it is included.
    private var remainingNodes = 2 * DocumentText.maximumNodes

    /// What a file says; `nil` when it does not say enough to look further.
    ///
    /// - Parameter include: Gives the content of another file that this one names.
    mutating func document(
        _ root: DocumentField,
        _ include: (String) throws(DocumentError) -> [UInt8]?
    ) -> AccessoryDocument? {
        guard let members = mapping(root) else { return nil }
        func member(_ key: String) -> DocumentMember? { members.first { $0.key == key } }
        let isBridge = member("bridge") != nil || member("accessories") != nil && member("accessory") == nil
        if isBridge, let accessory = member("accessory") {
            reader.report(
                at: root.location(of: accessory),
                "a file has one accessory or one bridge; put the accessory under \"accessories\""
            )
        }
        isVerbatim = member("verbatim")?.value.scalar?.meaning == .bool(true)
        let format = DefinedAccessory.format(of: isBridge ? .bridge : .alone, isVerbatim: isVerbatim)
        guard let main = format.read(root, &reader) else { return nil }
        let isFixed = main.isFixed ?? false
        var defined = [main]
        var accessories = [accessory(&defined[0], role: isBridge ? .bridge : .alone, isFixed: isFixed)]
        let entries = main.accessories.prefix(AttributeDatabase.maximumAccessories - 1)
        for path in entries.compactMap(\.include) where included[path.value] == nil {
            included[path.value] = .some(load(path, include))
        }
        for var entry in entries {
            var role = DefinedAccessory.Role.bridged
            if let path = entry.include {
                guard let file = included[path.value] ?? nil, let accessory = accessory(of: file, includedBy: entry)
                else { continue }
                (entry, role) = (accessory, .included)
            }
            accessories.append(accessory(&entry, role: role, isFixed: isFixed))
            defined.append(entry)
        }
        number(&accessories, defined, isFixed: isFixed)
        let type = DefinitionStandard.mainType(of: accessories[0].services.lazy.map(\.key.type))
        let document = AccessoryDocument(
            key: main.serverID?.value ?? accessories[0].key,
            name: main.name?.value ?? Self.nameless,
            category: main.category ?? (isBridge ? .bridge : AccessoryCategory(following: type)),
            accessories: accessories,
            deviceID: main.deviceID,
            setupCode: main.setupCode,
            setupID: main.setupID,
            configurationNumber: main.configurationNumber,
            isVerbatim: isVerbatim
        )
        if !isVerbatim {
            validate(document, defined)
        }
        return document
    }

    /// The name of an accessory that is refused because it has none.
    private static let nameless = "Accessory"

    private mutating func mapping(_ root: DocumentField) -> [DocumentMember]? {
        if root.node.mapping == nil {
            reader.report(root, "\(root.node.kind) stands where a map is expected; begin with \"accessory: NAME\"")
        }
        return root.node.mapping
    }

    /// Reads a file that is included; notes what is wrong with it.
    private mutating func load(
        _ path: Located<String>,
        _ include: (String) throws(DocumentError) -> [UInt8]?
    ) -> DocumentField? {
        guard remainingBytes >= 0 else { return nil }
        let location = path.location ?? SourceLocation(file: path.value)
        let name = path.value.quotedForPeople
        let content: [UInt8]?
        do throws(DocumentError) {
            content = try include(path.value)
        } catch {
            reader.report(
                at: location,
                "\(name) cannot be read: \(error.diagnostics.first?.reason ?? "name another file")"
            )
            return nil
        }
        guard let bytes = content else {
            reader.report(at: location, "\(name) cannot be read; name a file beside this one")
            return nil
        }
        remainingBytes -= min(bytes.count, remainingBytes + 1)
        guard remainingBytes >= 0 else {
            reader.report(at: location, "the included files have more than 4 MiB together; include less")
            return nil
        }
        guard AccessoryFile.kind(of: bytes) == .yaml else {
            reader.report(at: location, "this is no definition; make one of it with \"hap convert\"")
            return nil
        }
        let file = path.value.resolved(beside: location.file)
        var diagnostics = reader.diagnostics
        let root = DefinitionReader.compose(bytes, in: file, &diagnostics)?.root
        // Nothing of another file, such as one with passwords, is repeated in a message.
        guard DocumentText.isDefinition(bytes, root) else {
            reader.report(at: location, "\(name) is not a definition; name a file that begins with \"accessory: NAME\"")
            return nil
        }
        reader.diagnostics = diagnostics
        return root.map { DocumentField(file: file, node: $0) }
    }

    /// The accessory of another file, with what is said of it beside `include`.
    private mutating func accessory(
        of root: DocumentField,
        includedBy entry: DefinedAccessory
    ) -> DefinedAccessory? {
        remainingNodes -= root.node.count
        guard remainingNodes >= 0 else {
            reader.report(
                at: entry.include?.location ?? entry.location,
                "the included files have too many values together; include less"
            )
            return nil
        }
        guard let members = mapping(root) else { return nil }
        if members.contains(where: { $0.key == "bridge" }) {
            reader.report(root, "this is a bridge, and is included behind another one; include its accessories")
            return nil
        }
        let format = DefinedAccessory.format(of: .included, isVerbatim: false)
        guard var accessory = format.read(root, &reader) else { return nil }
        if let verbatim = accessory.verbatim, verbatim.value {
            reader.report(
                at: verbatim.location ?? accessory.location,
                "what is verbatim is served as it stands, and not behind a bridge; remove this"
            )
        }
        accessory.name = entry.name ?? accessory.name
        accessory.id = entry.id ?? accessory.id
        accessory.aid = entry.aid
        accessory.location = entry.location
        return accessory
    }

    // MARK: Accessories

    /// An accessory with everything that follows from what is written; of a picture, nothing does.
    ///
    /// - Parameter isFixed: Whether ids that are not written are the next ones for good, unless it says otherwise itself.
    private mutating func accessory(
        _ defined: inout DefinedAccessory,
        role: DefinedAccessory.Role,
        isFixed: Bool
    ) -> FileAccessory {
        let key = defined.id?.value ?? defined.name?.value ?? Self.nameless
        if key.hasPrefix("#retired/") {
            let location = (defined.id ?? defined.name)?.location ?? defined.location
            reader.report(at: location, "ids that begin with #retired/ are taken; write another")
        }
        if role == .included { defined.services.removeAll { $0.type == .protocolInformation } }
        for position in defined.services.indices {
            complete(&defined.services[position])
        }
        if !isVerbatim {
            addInformation(to: &defined, key: key, role: role)
            let limit = AttributeDatabase.maximumServices
            if defined.services.count > limit {
                reader.report(
                    at: defined.servicesLocation ?? defined.location,
                    "\(defined.services.count) services are too many; list at most \(limit)"
                )
                defined.services = Array(defined.services.prefix(limit))
            }
            if let second = defined.services.filter(\.file.isPrimary).dropFirst().first {
                reader.report(
                    at: second.location,
                    "another service is the primary one; remove \"primary\" from one of them"
                )
            }
        }
        identify(&defined.services)
        number(&defined.services, isFixed: defined.isFixed ?? isFixed)
        let services = defined.services.map { service in
            var file = service.file
            file.iid = service.iid?.value
            file.characteristics = service.characteristics.map(\.characteristic)
            return file
        }
        return FileAccessory(key: key, services: services, aid: defined.aid?.value)
    }

    /// Adds the two services that every accessory or server has, in front, and what they say of the accessory.
    private mutating func addInformation(
        to accessory: inout DefinedAccessory,
        key: String,
        role: DefinedAccessory.Role
    ) {
        let texts: [CharacteristicType: Located<String>?] = [
            .name: accessory.name, .manufacturer: accessory.manufacturer, .model: accessory.model,
            .serialNumber: accessory.serialNumber, .firmwareRevision: accessory.firmware,
        ]
        let model = DefinitionStandard.model(of: accessory.services.lazy.map(\.type), isBridge: role == .bridge)
        let information = Service.accessoryInformation(
            name: accessory.name?.value ?? Self.nameless,
            manufacturer: accessory.manufacturer?.value ?? DefinitionStandard.manufacturer,
            model: accessory.model?.value ?? model,
            serialNumber: accessory.serialNumber?.value ?? DefinitionStandard.serialNumber(of: key),
            firmware: accessory.firmware?.value ?? DefinitionStandard.firmware
        )
        if !accessory.services.contains(where: { $0.type == .accessoryInformation }) {
            accessory.services.insert(DefinedService(location: accessory.location), at: 0)
        }
        for position in accessory.services.indices
        where accessory.services[position].type == .accessoryInformation {
            inform(&accessory.services[position], information, texts, accessory.location)
        }
        let first = accessory.services.firstIndex { $0.type == .accessoryInformation } ?? 0
        if role == .alone || role == .bridge,
            !accessory.services.contains(where: { $0.type == .protocolInformation })
        {
            let file = FileService(Service.protocolInformation().description)
            let characteristics = file.characteristics.map {
                DefinedCharacteristic(characteristic: $0, location: accessory.location)
            }
            accessory.services.insert(
                DefinedService(file: file, characteristics: characteristics, location: accessory.location),
                at: first + 1
            )
        }
    }

    /// Gives Accessory Information what follows from the accessory's keys, in front of what it lists itself.
    private mutating func inform(
        _ service: inout DefinedService,
        _ information: Service,
        _ texts: [CharacteristicType: Located<String>?],
        _ location: SourceLocation
    ) {
        var added: [DefinedCharacteristic] = []
        for implied in information.characteristics {
            let text = (texts[implied.type] ?? nil)?.location
            let position = service.characteristics.firstIndex { $0.type == implied.type }
            guard let position else {
                added.append(DefinedCharacteristic(characteristic: implied, location: text ?? location))
                continue
            }
            let listed = service.characteristics[position]
            if !listed.hasValue {
                service.characteristics[position].characteristic.value = implied.value
            } else if implied.type != .name, let text {
                let path = (listed.valueLocation ?? listed.location).path
                reader.report(at: text, "\(path) says this, too; remove one of them")
            }
        }
        service.characteristics = added + service.characteristics
        service.iid = service.iid ?? Located(.accessoryInformation)
    }

    // MARK: What every controller asks for

    private mutating func validate(_ document: AccessoryDocument, _ accessories: [DefinedAccessory]) {
        for fault in AccessoryValidation.locatedFaults(in: document.declaration(isSimulated: false)) {
            // What follows from something that is wrong already is not told again.
            if fault.service == nil, reader.diagnostics.hasErrors { continue }
            let service = fault.service.map { accessories[fault.accessory].services[$0] }
            let characteristic = service.flatMap { service in
                fault.characteristic.map { service.characteristics[$0] }
            }
            let location =
                (fault.isOfValue ? characteristic?.valueLocation : nil) ?? characteristic?.location
                ?? service?.location ?? accessories[fault.accessory].location
            guard !reader.diagnostics.hasError(in: location.path, of: location.file) else { continue }
            var subject = ""
            if let characteristic, location.path.isEmpty || location.path.hasSuffix("]") {
                subject = "\(characteristic.type): "
            }
            if service != nil, characteristic == nil, fault.error.code == .missing,
                let missing = fault.error.path.split(separator: "/").last
            {
                subject = "\(missing): "
            }
            reader.report(at: location, subject + fault.error.reason)
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
