internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Reads one definition with the files that it includes.
struct DefinitionAssembler {
    /// The reader of scalars, which also collects the errors.
    var reader = DocumentReader()
    /// The number of characteristics that are required but not written in the file.
    private(set) var addedCharacteristicCount = 0

    /// Returns the document of a file, or `nil` if the file cannot be read as a definition.
    ///
    /// - Parameter include: Returns the content of an included file.
    mutating func document(
        _ root: DocumentField,
        _ include: (String) throws(DocumentError) -> [UInt8]?
    ) -> AccessoryDocument? {
        guard let members = reader.definitionMembers(root) else { return nil }
        func member(_ key: String) -> DocumentMember? { members.first { $0.key == key } }
        let isBridge = member("bridge") != nil || member("accessories") != nil && member("accessory") == nil
        if isBridge, let accessory = member("accessory") {
            reader.report(
                at: root.location(of: accessory),
                "a file has one accessory or one bridge; put the accessory under \"accessories\""
            )
        }
        // A verbatim document is a copy of a real device: nothing is added to it or corrected in it.
        let isVerbatim = member("verbatim")?.value.scalar?.meaning == .bool(true)
        let role: DefinedAccessory.Role = isBridge ? .bridge : .standalone
        guard var main = DefinedAccessory.format(of: role, isVerbatim: isVerbatim).read(root, &reader) else {
            return nil
        }
        // Nothing that is found from here on would be reported.
        guard !reader.diagnostics.isFull else { return nil }
        let isFixed = main.numbersAreFixed ?? false
        main.complete(as: role, isFixed: isFixed, isVerbatim: isVerbatim, &reader)
        var defined = [main]
        let entries = main.accessories.prefix(AttributeDatabase.maximumAccessories - 1)
        var included = IncludedFiles()
        for path in entries.compactMap(\.include) {
            included.load(path, &reader, include)
        }
        for entry in entries {
            let isIncluded = entry.include != nil
            guard var accessory = isIncluded ? included.accessory(includedBy: entry, &reader) : entry else { continue }
            accessory.complete(
                as: isIncluded ? .included : .bridged,
                isFixed: isFixed,
                isVerbatim: isVerbatim,
                &reader
            )
            defined.append(accessory)
        }
        defined.assignNumbers(isFixed: isFixed, isVerbatim: isVerbatim, &reader)
        let type = DefinitionDefaults.mainType(of: defined[0].services.lazy.map(\.type))
        let document = AccessoryDocument(
            key: main.serverID?.value ?? main.key,
            name: main.name?.value ?? DefinedAccessory.placeholderName,
            category: main.category ?? (isBridge ? .bridge : AccessoryCategory(primaryServiceType: type)),
            accessories: defined.map(\.fileAccessory),
            deviceID: main.deviceID,
            setupCode: main.setupCode,
            setupID: main.setupID,
            configurationNumber: main.configurationNumber,
            isVerbatim: isVerbatim
        )
        if !isVerbatim {
            validate(document, defined)
            if !reader.diagnostics.hasErrors { reader.advise(on: defined) }
            addedCharacteristicCount = defined.addedCharacteristicCount
        }
        return document
    }

    /// Reports violations of the rules that every controller expects accessories to follow.
    private mutating func validate(_ document: AccessoryDocument, _ accessories: [DefinedAccessory]) {
        for fault in AccessoryValidation.locatedErrors(in: document.makeAccessories(isSimulated: false)) {
            guard !reader.diagnostics.isFull else { return }
            // Errors that may follow from an earlier one are not reported.
            if fault.service == nil, reader.diagnostics.hasErrors { continue }
            let service = fault.service.map { accessories[fault.accessory].services[$0] }
            let characteristic = service.flatMap { service in
                fault.characteristic.map { service.characteristics[$0] }
            }
            let location =
                (fault.concernsValue ? characteristic?.valueLocation : nil) ?? characteristic?.location
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
