internal import AccessoryModel
internal import Documents
internal import HAPCore

/// A characteristic of a definition.
struct DefinedCharacteristic: Sendable {
    /// The characteristic.
    var characteristic: Characteristic
    /// Its key in the file, or `nil` if it is not written there.
    var name: String?
    /// Its location, or the location of the part of the file that implies it.
    var location = SourceLocation(file: "")
    /// The location of its value, if it is written separately.
    var valueLocation: SourceLocation?
    /// The location of its id.
    var iidLocation: SourceLocation?
    /// Whether its value is written.
    var hasValue = true

    var type: CharacteristicType { characteristic.type }
}

// MARK: Reading

extension DefinedCharacteristic {
    /// Returns the characteristics that a service lists.
    ///
    /// Each type occurs once, except in a verbatim file.
    static func all(
        in field: DocumentField,
        isVerbatim: Bool,
        _ reader: inout DocumentReader
    ) -> [DefinedCharacteristic] {
        guard let members = field.node.mapping else {
            reader.report(
                field,
                "\(field.node.kind) stands where a map is expected; write the characteristics as \"On: false\""
            )
            return []
        }
        var names: [CharacteristicType: String] = [:]
        return members.compactMap { member in
            guard !reader.diagnostics.isFull, let defined = read(member, of: field, isVerbatim, &reader) else {
                return nil
            }
            if let other = names.updateValue(member.key, forKey: defined.type), !isVerbatim {
                reader.report(
                    at: field.location(of: member),
                    "this is the same characteristic as \(other.quotedForDisplay); remove one of them"
                )
                return nil
            }
            return defined
        }
    }

    private static func read(
        _ member: DocumentMember,
        of parent: DocumentField,
        _ isVerbatim: Bool,
        _ reader: inout DocumentReader
    ) -> DefinedCharacteristic? {
        let field = parent.member(member)
        guard member.value.mapping != nil else {
            guard let definition = reader.definition(named: member, of: parent) else { return nil }
            var characteristic = Characteristic(definition)
            characteristic.value = reader.value(field, of: characteristic, isVerbatim)
            return DefinedCharacteristic(characteristic: characteristic, name: member.key, location: field.location)
        }
        let keys = Property<Characteristic>.all(isVerbatim: isVerbatim)
        let names = keys.map(\.key.name)
        guard let map = DocumentMap(field, known: names, hint: { limitHint($0, member.value) }, &reader.diagnostics),
            var characteristic = reader.baseCharacteristic(member, of: parent, map)
        else { return nil }
        let hasFormat =
            map["format"].map { $0.characteristicFormat != nil } ?? (Catalog.characteristic(characteristic.type) != nil)
        for property in keys {
            let (name, format) = (property.key.name, characteristic.metadata.format)
            if let field = map[name], !isVerbatim, hasFormat, !property.applies(to: format), !field.isNone {
                reader.report(field, "values of the format \(format.rawValue) have no \(name); omit it")
            }
            _ = property.read(map, &characteristic, &reader)
        }
        let metadata = characteristic.metadata
        if !isVerbatim, metadata.format == .string, let least = metadata.minimumLength,
            let field = map["minLength"] ?? map["maxLength"], least > metadata.maximumLength ?? 64
        {
            reader.report(
                field,
                "the minimum length \(least) is above the maximum, \(metadata.maximumLength ?? 64); "
                    + "write a minimum of at most that"
            )
            // No value could satisfy both lengths.
            characteristic.metadata.minimumLength = nil
        }
        let written = map["value"]
        if let written, hasFormat {
            characteristic.value = reader.value(written, of: characteristic, isVerbatim)
        } else if !isVerbatim {
            characteristic.value = DefinitionDefaults.value(of: characteristic)
        }
        return DefinedCharacteristic(
            characteristic: characteristic,
            name: member.key,
            location: field.location,
            valueLocation: written?.location,
            iidLocation: map["iid"]?.location,
            hasValue: written != nil
        )
    }
}

extension DefinedCharacteristic {
    /// Returns a hint how to write a limit whose key is from HAP or from another tool, such as `range: 10...90` for
    /// `min: 10`.
    private static func limitHint(_ key: String, _ map: DocumentNode) -> String? {
        func limit(_ names: String...) -> String? {
            let keys = names + names.map { "\($0)Value" } + names.map { "\($0)imum" }
            return map.mapping?.first { keys.contains($0.key) }?.value.scalar?.text
        }
        switch key {
        case "min", "max", "minValue", "maxValue", "minimum", "maximum":
            let range = "\(limit("min") ?? "")...\(limit("max") ?? "")"
            return "unknown key; write \"range: \(range.shortenedForDisplay)\""
        case "minStep", "stepValue": return "unknown key; write \"step\""
        case "valid-values", "valid_values", "values": return "unknown key; write \"validValues\""
        case "perms": return "unknown key; write \"permissions\""
        default: return nil
        }
    }
}

extension DocumentReader {
    /// Returns the characteristic before its other properties are applied: the catalog's, or for a vendor's type a new
    /// one with the format in the file.
    fileprivate mutating func baseCharacteristic(
        _ member: DocumentMember,
        of parent: DocumentField,
        _ map: DocumentMap
    ) -> Characteristic? {
        let type: CharacteristicType
        var description: String?
        if let field = map["type"] {
            let remedy = "write a UUID such as 7E536242-341C-4862-BE90-272CE15BD633"
            guard let named = value(field, "type", remedy, { CharacteristicType(inDefinition: $0) }) else { return nil }
            type = named
            if Catalog.characteristic(named) == nil, HAPUUID(member.key) == nil {
                description = member.key
            }
        } else if let uuid = HAPUUID(vendor: member.key) {
            type = CharacteristicType(uuid)
        } else {
            guard let definition = definition(named: member, of: parent) else { return nil }
            type = definition.type
        }
        if let definition = Catalog.characteristic(type) {
            return Characteristic(definition)
        }
        if map["format"] == nil {
            report(map.field, "a vendor's characteristic needs a format; add one, such as \"format: float\"")
        }
        // Without a valid format, the properties that need none are read nevertheless, to report all their errors.
        return Characteristic(
            type: type,
            permissions: .vendorDefault,
            metadata: CharacteristicMetadata(format: map["format"]?.characteristicFormat ?? .float),
            description: description
        )
    }

    /// Returns the catalog's definition for a name, and reports an unknown name.
    fileprivate mutating func definition(
        named member: DocumentMember,
        of parent: DocumentField
    ) -> CharacteristicDefinition? {
        let name = member.key
        let type = HAPUUID(name).map { CharacteristicType($0) }
        if let definition = Catalog.characteristic(named: name) ?? type.flatMap(Catalog.characteristic) {
            return definition
        }
        let remedy: String
        if HAPUUID(vendor: name) != nil {
            remedy = "write a map with its format, such as \"{ format: float, value: 1 }\""
        } else if let nearest = nearest(to: name, among: Catalog.characteristicNames) {
            remedy = "write \(nearest)"
        } else {
            remedy =
                "write a name from Apple's catalog (docs/definitions.md); for a vendor's characteristic, add \"type: UUID\" "
                + "and \"format\""
        }
        report(at: parent.location(of: member), "there is no characteristic \(name.quotedForDisplay); \(remedy)")
        return nil
    }

    /// Returns the value of a characteristic, and reports an invalid one.
    fileprivate mutating func value(
        _ field: DocumentField,
        of characteristic: Characteristic,
        _ isVerbatim: Bool
    ) -> CharacteristicValue? {
        let (words, metadata) = (characteristic.base, characteristic.metadata)
        guard let scalar = field.node.scalar else {
            report(field, "\(field.node.kind) is not a value; write \(words.allowedValues)")
            return nil
        }
        switch scalar.meaning {
        case .null: return nil
        case .bool(let value) where isVerbatim: return .bool(value)
        case .number(let number) where isVerbatim: return .number(number)
        case .text where isVerbatim:
            let isData = metadata.format == .tlv8 || metadata.format == .data
            let bytes = isData ? Base64.decode(scalar.text) : nil
            return bytes.map(CharacteristicValue.data) ?? .string(scalar.text)
        case .bool, .number, .text: break
        }
        guard let value = words.value(of: scalar.text) else {
            report(
                field,
                "\(scalar.kind) is not a value of this characteristic; write "
                    + "\(words.allowedValues(insteadOf: scalar.text))"
            )
            return nil
        }
        guard let served = metadata.value(from: value, isStrict: false) else {
            let shown =
                switch value {
                case .bool, .number: scalar.kind
                case .string(let text): "a text of \(text.utf8.count) bytes"
                case .data(let bytes): "a value of \(bytes.count) bytes"
                }
            report(field, "\(shown) is out of range; write \(words.allowedValues)")
            return nil
        }
        if metadata.value(from: value, isStrict: true) == nil {
            diagnostics.warn(
                field,
                "\(value) is between two steps of \(metadata.step ?? 1) and is served as \(served); write that"
            )
        }
        return value
    }
}

extension Catalog {
    /// The names of the characteristics, for suggestions.
    fileprivate static let characteristicNames = characteristics.flatMap { [$0.id] + $0.aliases }
}

extension CharacteristicType {
    /// Creates the type from a text: a name of the catalog, or a vendor's full UUID.
    init?(inDefinition text: String) {
        guard let type = CharacteristicType(nameOrUUID: text),
            Catalog.characteristic(type) != nil || text.utf8.count == 36
        else { return nil }
        self = type
    }
}

extension HAPUUID {
    /// Creates the UUID of a type that is not Apple's, from its full form.
    fileprivate init?(vendor text: String) {
        guard text.utf8.count == 36, let uuid = HAPUUID(text),
            Catalog.characteristic(CharacteristicType(uuid)) == nil
        else { return nil }
        self = uuid
    }
}

// MARK: Writing

extension DefinedCharacteristic {
    /// Returns the key of the characteristic with its value, or with a map if other properties have to be written, too.
    func member(isVerbatim: Bool) -> DocumentTree.Member {
        let key = name ?? type.nameOrUUID
        var members = overrides(isVerbatim: isVerbatim)
        let value = characteristic.value.map {
            DocumentTree(isVerbatim ? $0.json : characteristic.base.documentValue($0))
        }
        guard hasValue else { return .init(key, .map(members)) }
        guard !members.isEmpty else { return .init(key, value ?? .null) }
        if characteristic.value != (isVerbatim ? nil : DefinitionDefaults.value(of: characteristic)) {
            members.insert(.init("value", value ?? .null), at: 0)
        }
        return .init(key, .map(members))
    }

    /// Returns the properties that differ from those of the type.
    private func overrides(isVerbatim: Bool) -> [DocumentTree.Member] {
        let definition = Catalog.characteristic(type)
        // A vendor's type has no default format. The standard has a different format, so that the format is written.
        let format: CharacteristicFormat = characteristic.metadata.format == .bool ? .int : .bool
        var standard =
            definition.map { Characteristic($0) }
            ?? Characteristic(type: type, permissions: .vendorDefault, metadata: CharacteristicMetadata(format: format))
        let key = name ?? type.nameOrUUID
        var members: [DocumentTree.Member] = []
        if key != type.nameOrUUID {
            if definition == nil { standard.description = key }
            members.append(.init("type", .text(definition == nil ? type.uuid.description : type.nameOrUUID)))
        }
        return members
            + Property.all(isVerbatim: isVerbatim)
            .members(of: characteristic, comparedTo: standard)
    }
}

extension CharacteristicPermissions {
    /// The permissions of a vendor's characteristic for which a file has none, which are those of `HAPCharacteristic`.
    static let vendorDefault: CharacteristicPermissions = [.read, .write, .events]
}

extension DocumentField {
    /// The format that the field names, or `nil` for anything else.
    fileprivate var characteristicFormat: CharacteristicFormat? {
        node.scalar.flatMap { CharacteristicFormat(rawValue: $0.text) }
    }
}
