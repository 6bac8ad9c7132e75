internal import AccessoryModel
internal import Documents
internal import HAPCore

extension DefinitionSession {
    /// The characteristics of a service that are written; each type once, but for a real device's.
    mutating func characteristics(_ field: DocumentField) -> [DefinedCharacteristic] {
        guard let members = field.node.mapping else {
            findings.report(
                field,
                "\(field.node.kind) stands where a map is expected; write the characteristics as \"On: false\""
            )
            return []
        }
        var defined: [DefinedCharacteristic] = []
        var names: [CharacteristicType: String] = [:]
        for member in members {
            guard let characteristic = characteristic(member, of: field) else { continue }
            let type = characteristic.characteristic.type
            if let other = names.updateValue(member.key, forKey: type), !isVerbatim {
                findings.report(
                    in: field.file,
                    at: member.position,
                    path: .key(member.key, in: field.path),
                    "this is the same characteristic as \(other.quotedForPeople); remove one of them"
                )
                continue
            }
            defined.append(characteristic)
        }
        return defined
    }

    private mutating func characteristic(
        _ member: DocumentMember,
        of parent: DocumentField
    ) -> DefinedCharacteristic? {
        let field = parent.member(member)
        guard member.value.mapping != nil else {
            guard let definition = definition(named: member.key, at: member.position, field) else { return nil }
            var characteristic = Characteristic(definition)
            characteristic.value = value(field, of: characteristic)
            return DefinedCharacteristic(characteristic: characteristic, name: member.key, field: field)
        }
        guard let map = DocumentMap(field, known: CharacteristicField.all.map { FreeKey($0.name) }, &findings) else {
            return nil
        }
        guard var characteristic = declaration(member, map) else { return nil }
        override(&characteristic, with: map)
        let written = map["value"]
        if let written {
            characteristic.value = value(written, of: characteristic)
        } else if !isVerbatim {
            characteristic.value = DefinitionStandard.value(
                of: characteristic.type,
                permissions: characteristic.permissions,
                metadata: characteristic.metadata
            )
        }
        return DefinedCharacteristic(
            characteristic: characteristic,
            name: member.key,
            field: field,
            valueField: written,
            iidField: map["iid"],
            hasValue: written != nil
        )
    }

    /// A characteristic as its type has it: the catalogue's, or a vendor's with what must be said of it.
    private mutating func declaration(_ member: DocumentMember, _ map: DocumentMap<FreeKey>)
        -> Characteristic?
    {
        let type: CharacteristicType
        var description: String?
        if let field = map["type"] {
            let remedy = "write a UUID such as 7E536242-341C-4862-BE90-272CE15BD633"
            guard let named = value(field, "type", remedy, Self.characteristicType) else { return nil }
            type = named
            if Catalogue.characteristic(named) == nil, HAPUUID(member.key) == nil {
                description = member.key
            }
        } else if let uuid = Self.vendorUUID(member.key) {
            type = CharacteristicType(uuid)
        } else {
            guard let definition = definition(named: member.key, at: member.position, map.field) else { return nil }
            type = definition.type
        }
        if let definition = Catalogue.characteristic(type) {
            return Characteristic(definition)
        }
        guard let format = map["format"] else {
            findings.report(
                map.field,
                "a vendor's characteristic needs a format; add one, such as \"format: float\""
            )
            return nil
        }
        guard let known = word(format, Self.formats) else { return nil }
        return Characteristic(
            type: type,
            permissions: .read,
            metadata: CharacteristicMetadata(format: known),
            description: description
        )
    }

    /// What the catalogue has under a name; notes a name that it does not know.
    private mutating func definition(
        named name: String,
        at position: TextPosition,
        _ field: DocumentField
    ) -> CharacteristicDefinition? {
        if let definition = Catalogue.characteristic(named: name) {
            return definition
        }
        if let uuid = HAPUUID(name), let definition = Catalogue.characteristic(CharacteristicType(uuid)) {
            return definition
        }
        let remedy: String
        if Self.vendorUUID(name) != nil {
            remedy = "write a map with its format, such as \"{ format: float, value: 1 }\""
        } else if let nearest = findings.spelling.nearest(
            to: name,
            among: Catalogue.characteristics.lazy.flatMap { [$0.id] + $0.aliases }
        ) {
            remedy = "write \(nearest)"
        } else {
            remedy = "see \"hap types\", or give a vendor's with \"type: UUID\" and \"format\""
        }
        findings.report(
            in: field.file,
            at: position,
            path: field.path,
            "there is no characteristic \(name.quotedForPeople); \(remedy)"
        )
        return nil
    }

    /// The type that a text names: a UUID, or a name of the catalogue.
    static func characteristicType(_ text: String) -> CharacteristicType? {
        if let definition = Catalogue.characteristic(named: text) { return definition.type }
        guard let uuid = HAPUUID(text) else { return nil }
        let type = CharacteristicType(uuid)
        return Catalogue.characteristic(type) != nil || text.utf8.count == 36 ? type : nil
    }

    /// The UUID of a type that is not Apple's, when it is written in full.
    private static func vendorUUID(_ text: String) -> HAPUUID? {
        guard text.utf8.count == 36, let uuid = HAPUUID(text) else { return nil }
        return Catalogue.characteristic(CharacteristicType(uuid)) == nil ? uuid : nil
    }

    static let formats = CharacteristicFormat.allCases.map { ($0.rawValue, $0) }

    /// Takes over what a map says otherwise than the type.
    private mutating func override(_ characteristic: inout Characteristic, with map: DocumentMap<FreeKey>) {
        for key in CharacteristicField.all {
            guard let field = map[FreeKey(key.name)] else { continue }
            let format = characteristic.metadata.format
            if !isVerbatim, !key.formats.contains(format), !isNone(field) {
                findings.report(field, "values of the format \(format.rawValue) have no \(key.name); leave it away")
            }
            key.read(field, &characteristic, &self)
        }
        if !isVerbatim { checkLengths(map, &characteristic.metadata) }
    }

    func isNone(_ field: DocumentField) -> Bool {
        field.node.scalar?.text == "none"
    }

    mutating func length(_ field: DocumentField, in range: ClosedRange<UInt64>) -> Int? {
        guard !isNone(field) else { return nil }
        // A real device says what it likes.
        if isVerbatim, case .number(let number) = field.node.scalar?.meaning, let length = number.integer(as: Int.self)
        {
            return length
        }
        return integer(field, in: range).map { Int($0) }
    }

    mutating func step(_ field: DocumentField, _ metadata: inout CharacteristicMetadata) {
        metadata.step = nil
        guard !isNone(field) else { return }
        guard case .number(let step) = field.node.scalar?.meaning, step > 0 || isVerbatim else {
            return findings.report(field, "\(field.node.kind) is no step; write a number above 0, or none")
        }
        metadata.step = step
    }

    mutating func range(_ field: DocumentField, _ metadata: inout CharacteristicMetadata) {
        metadata.minimum = nil
        metadata.maximum = nil
        guard !isNone(field) else { return }
        let text = field.node.scalar?.text ?? ""
        let remedy = "write LEAST...GREATEST, such as 0...100, with one side left out where there is no limit, or none"
        guard let dots = text.firstRange(of: "..."), text != "..." else {
            return findings.report(field, "\(field.node.kind) is no range; \(remedy)")
        }
        var limits: [JSONNumber?] = []
        for side in [text[..<dots.lowerBound], text[dots.upperBound...]] {
            let side = String(side.drop { $0 == " " })
            let number = JSONNumber(decimal: String(side.reversed().drop { $0 == " " }.reversed()))
            guard side.isEmpty || number != nil else {
                return findings.report(field, "\(field.node.kind) is no range; \(remedy)")
            }
            limits.append(number)
        }
        if !isVerbatim, let least = limits[0], let greatest = limits[1], least > greatest {
            return findings.report(field, "the range begins above its end; write \(greatest)...\(least)")
        }
        if !isVerbatim, let whole = metadata.format.integerRange {
            for limit in limits.compactMap(\.self) where !whole.contains(limit) || limit.integer(as: Int128.self) == nil
            {
                let form = "\(whole.lowerBound) to \(whole.upperBound)"
                findings.report(
                    field,
                    "\(limit) is no value of \(metadata.format.rawValue); write whole numbers from \(form)"
                )
                return
            }
        }
        metadata.minimum = limits[0]
        metadata.maximum = limits[1]
    }

    mutating func validValues(_ field: DocumentField, of characteristic: Characteristic) -> [JSONNumber] {
        guard !isNone(field) else { return [] }
        let words = characteristic.words
        let hasNames = Catalogue.characteristic(characteristic.type)?.valueNames.isEmpty == false
        let allowed = hasNames ? words.allowedValues : "a number"
        var values: [JSONNumber] = []
        for field in list(field) {
            if let number = field.node.scalar.flatMap({ words.number(of: $0.text) }) {
                values.append(number)
            } else {
                findings.report(field, "\(field.node.kind) is no number; write \(allowed)")
            }
        }
        guard !isVerbatim else { return values }
        if field.node.isEmptyList {
            findings.report(field, "no value is valid; list some, or write none where all are")
        }
        if zip(values, values.dropFirst()).contains(where: { $0 >= $1 }) {
            let ascending = Set(values).sorted()
            let reason = ascending.count < values.count ? "a value occurs twice" : "the values do not ascend"
            findings.report(field, "\(reason); write \(ascending)")
        }
        return values
    }
}
