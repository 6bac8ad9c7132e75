internal import AccessoryModel
internal import Documents
internal import HAPCore

extension AccessorySchema {
    /// The schemas for the characteristics of services.
    static var characteristics: [Member] {
        let override = reference("override")
        let all = [override, reference("vendor")]
        let isCataloged = schema(
            .init("properties", .inlineMap([.init("type", cataloged)])),
            .init("required", .list(["type"]))
        )
        let own = "A characteristic with a custom name: a vendor's needs its type and format."
        let redefining = Property<Characteristic>.all(isVerbatim: false).filter(\.changesValueDomain)
        let anything = ifMap(reference("verbatimOverride"), otherwise: Schema.scalar.tree)
        return [
            .init("characteristics", byName),
            .init(
                "verbatimCharacteristics",
                schema(.init("type", .list(["object", "null"])), .init("additionalProperties", anything))
            ),
            .init(
                "own",
                .map(descriptionMembers(own) + [.init("allOf", .list(all)), .init("required", .list(["type"]))])
            ),
            .init(
                "vendor",
                .map([
                    .init("allOf", .list([override])), .init("if", isCataloged),
                    .init("else", JSONSchema.object(with: "format")),
                ])
            ),
            .init("override", characteristic(isVerbatim: false).tree),
            .init("verbatimOverride", characteristic(isVerbatim: true).tree),
            .init("redefined", any(of: redefining.map { JSONSchema.object(with: $0.key.name) })),
        ] + textDefinitions + Catalog.characteristics.map { .init(name(of: $0), characteristic($0)) }
    }

    private static func name(of definition: CharacteristicDefinition) -> String {
        "characteristic.\(definition.id)"
    }

    private static func ifMap(_ schema: DocumentTree, otherwise other: DocumentTree) -> DocumentTree {
        .inlineMap([
            .init("if", self.schema(.init("type", "object"))), .init("then", schema), .init("else", other),
        ])
    }

    /// The schema of a service's map of characteristics.
    private static var byName: DocumentTree {
        var known = Set(Catalog.characteristics.map(\.id))
        let names = Catalog.characteristics.map { definition in
            let schema = descriptionMembers(summary(of: definition)) + reference(name(of: definition)).members
            return Member(definition.id, .inlineMap(schema))
        }
        let others = Catalog.characteristics.flatMap { definition in
            ([definition.name] + definition.aliases)
                .filter {
                    known.insert($0).inserted && Catalog.characteristic(named: $0)?.type == definition.type
                }
                .map { Member($0, reference(name(of: definition))) }
        }
        let description = "The characteristics by name: values, or maps of the properties that differ from the catalog."
        return .map(
            descriptionMembers(description) + [
                .init("type", "object"), .init("properties", .map(names + others)),
                .init("patternProperties", .map(byUUID)), .init("additionalProperties", reference("own")),
            ]
        )
    }

    /// The schema of a type's name in the catalog.
    private static var cataloged: DocumentTree {
        let names = Catalog.characteristics.flatMap { [$0.id, $0.name] + $0.aliases }
        let pattern = schema(.init("type", "string"), .init("pattern", .text("^(\(caseInsensitive(knownUUIDs)))$")))
        return any(of: [words(Set(names).sorted()), pattern])
    }

    /// The schemas of characteristics by UUID: those of vendors and of the catalog.
    private static var byUUID: [Member] {
        let known = knownUUIDs
        return [
            .init("^(\(caseInsensitive(known)))$", ifMap(reference("override"), otherwise: Schema.scalar.tree)),
            .init(
                "^(?!(\(caseInsensitive(known)))$)\(uuidPattern.dropFirst())",
                ifMap(reference("vendor"), otherwise: .bool(false))
            ),
        ]
    }

    /// A pattern for the UUIDs of the catalog in lower case, which includes the short forms of Apple's.
    private static var knownUUIDs: String {
        let cataloged = Catalog.characteristics.map { "\($0.type.uuid)".lowercased() }
        let apple = cataloged.filter { $0.hasSuffix(appleUUIDSuffix) }
        let short = apple.map { $0.prefix(8).drop { $0 == "0" } }.joined(separator: "|")
        let others = cataloged.filter { !$0.hasSuffix(appleUUIDSuffix) }
        return "0*(\(short))(\(appleUUIDSuffix))?" + others.map { "|" + $0 }.joined()
    }

    private static let appleUUIDSuffix = "-0000-1000-8000-0026bb765291"

    private static func caseInsensitive(_ pattern: String) -> String {
        String(pattern.flatMap { $0.isASCII && $0.isLetter ? "[\($0.lowercased())\($0.uppercased())]" : String($0) })
    }

    /// Returns a line about a characteristic, which editors show.
    private static func summary(of definition: CharacteristicDefinition) -> String {
        let metadata = definition.metadata
        var text = "\(definition.name): \(metadata.format.rawValue)"
        if let unit = metadata.unit {
            text += " in \(unit.rawValue)"
        }
        if !definition.valueNames.isEmpty {
            text += ", " + definition.valueNames.map { "\($0.value) \($0.name)" }.joined(separator: ", ")
        } else if metadata.minimum != nil || metadata.maximum != nil {
            text += ", \(metadata.minimum?.description ?? "")...\(metadata.maximum?.description ?? "")"
        }
        if let step = metadata.step, step != 1 {
            text += " by \(step)"
        }
        return "\(text) [\(definition.permissions.names.joined(separator: " "))]"
    }

    private static func characteristic(_ definition: CharacteristicDefinition) -> DocumentTree {
        let value = value(of: definition)
        let own = schema(.init("properties", .inlineMap([.init("value", value)])))
        let map = DocumentTree.map([
            .init("allOf", .list([reference("override")])), .init("if", reference("redefined")), .init("else", own),
        ])
        return ifMap(map, otherwise: value)
    }

    private static func value(of definition: CharacteristicDefinition) -> DocumentTree {
        let metadata = definition.metadata
        let words = CharacteristicDescription(definition)
        let names = definition.valueNames
            .filter { metadata.validValues.isEmpty || metadata.validValues.contains($0.value) }.map(\.name)
        let none = schema(.init("type", "null"))
        // Editors offer the names in this form; letter case does not matter when they are read.
        let named =
            names.isEmpty
            ? [] : [self.words(names), schema(.init("type", "string"), .init("pattern", .text(pattern(of: names))))]
        let switched = words.isSwitch ? [reference("switch")] : []
        let unit = words.units.count > 1 ? "measured" : "number.\(words.units.first?.rawValue ?? "none")"
        let measured = [reference(unit)] + (definition.type == .colorTemperature ? [reference("number.kelvin")] : [])
        let whole = metadata.format.integerRange
        var members: [Member] = [.init("type", whole == nil ? "number" : "integer")]
        switch metadata.format {
        case .bool:
            let numbers = schema(.init("enum", .list([.number(0), .number(1)])))
            return any(of: [numbers] + switched + named + [reference("number.none"), none])
        case .string:
            let most = JSONNumber(metadata.maximumLength ?? 64)
            let least = metadata.minimumLength.map { Member("minLength", .number(JSONNumber(min($0, 1)))) }
            return .inlineMap(
                Schema.scalar.tree.members + [least, .init("maxLength", .number(most))].compactMap(\.self)
            )
        case .tlv8, .data:
            let base64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
            return schema(.init("type", .list(["string", "number", "null"])), .init("pattern", .text(base64)))
        case .uint8, .uint16, .uint32, .uint64, .int, .float: break
        }
        if !metadata.validValues.isEmpty {
            members = [.init("enum", .list(metadata.validValues.map(DocumentTree.number)))]
        } else {
            let limits = [
                ("minimum", metadata.minimum ?? whole?.lowerBound), ("maximum", metadata.maximum ?? whole?.upperBound),
            ]
            members += limits.compactMap { limit in limit.1.map { .init(limit.0, .number($0)) } }
        }
        return any(of: [.inlineMap(members)] + named + switched + measured + [none])
    }

    /// The schemas of the words for on and off, and of numbers in texts.
    private static var textDefinitions: [Member] {
        let words = caseInsensitive("on|off|yes|no|true|false")
        return [
            .init("validValue", schema(.init("type", .list(["number", "string", "boolean"])))),
            .init(
                "switch",
                schema(.init("type", .list(["boolean", "string"])), .init("pattern", .text("^(\(words))$")))
            ),
            .init("number.none", quantity(with: [])),
            .init("number.kelvin", quantity(with: CharacteristicDescription.kelvinSpellings)),
            .init("measured", quantity(with: CharacteristicUnit.allCases.flatMap(\.spellings))),
        ] + CharacteristicUnit.allCases.map { .init("number.\($0.rawValue)", quantity(with: $0.spellings)) }
    }

    /// Returns the schema of a number in a text, with or without a unit.
    ///
    /// - Parameter units: The spellings of the units, in lower case.
    static func quantity(with units: [String]) -> DocumentTree {
        let number = "[-+]?((0|[1-9][0-9]*)(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?"
        let spellings = units.map(caseInsensitive).joined(separator: "|")
        let pattern = "^ *\(number)" + (spellings.isEmpty ? " *$" : " *(\(spellings))? *$")
        return schema(.init("type", "string"), .init("pattern", .text(pattern)))
    }

    /// Returns a pattern for names in any case, with or without separators between their words.
    private static func pattern(of names: [String]) -> String {
        let patterns = names.map { name in
            var pattern = ""
            for letter in name {
                pattern += letter == "_" || letter.isUppercase && !pattern.isEmpty ? "[-_. ]*" : ""
                pattern += letter == "_" ? "" : caseInsensitive(String(letter))
            }
            return pattern
        }
        return "^(\(patterns.joined(separator: "|")))$"
    }

    /// Returns the schema of a characteristic that is written as a map.
    static func characteristic(isVerbatim: Bool) -> Schema {
        ObjectFormat(Characteristic(cataloged: .name), Property.all(isVerbatim: isVerbatim)).format().schema
    }
}
