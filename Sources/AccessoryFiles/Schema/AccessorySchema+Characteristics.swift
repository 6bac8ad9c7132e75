internal import AccessoryModel
internal import Documents
internal import HAPCore

extension AccessorySchema {
    /// What characteristics may be, one by one.
    static var characteristics: [Member] {
        [
            .init("characteristics", all),
            .init(
                "verbatimCharacteristics",
                .map([
                    .init("type", .list(["object", "null"])),
                    .init("additionalProperties", ifMap(reference("verbatimOverride"), otherwise: scalar)),
                ])
            ),
            .init(
                "own",
                .map([
                    .init(
                        "description",
                        "A characteristic under a name of your own: a vendor's needs its type and format."
                    ),
                    .init("allOf", .list([reference("override"), reference("vendor")])),
                    .init("required", .list(["type"])),
                ])
            ),
            .init(
                "vendor",
                .map([
                    .init("allOf", .list([reference("override")])),
                    .init(
                        "if",
                        .map([
                            .init("properties", .map([.init("type", catalogued)])), .init("required", .list(["type"])),
                        ])
                    ),
                    .init("else", .inlineMap([.init("required", .list(["format"]))])),
                ])
            ),
            .init("override", override(isVerbatim: false)),
            .init("verbatimOverride", override(isVerbatim: true)),
            .init(
                "redefined",
                any(
                    of: CharacteristicField.all.filter(\.redefines)
                        .map { schema(.init("required", .list([.text($0.name)]))) }
                )
            ),
        ] + texts + Catalogue.characteristics.map { .init(name(of: $0), characteristic($0)) }
    }

    private static func name(of definition: CharacteristicDefinition) -> String {
        "characteristic.\(definition.id)"
    }

    private static var scalar: DocumentTree { schema(.init("type", .list(["string", "number", "boolean", "null"]))) }

    private static func ifMap(_ schema: DocumentTree, otherwise other: DocumentTree) -> DocumentTree {
        .inlineMap([
            .init("if", self.schema(.init("type", "object"))), .init("then", schema), .init("else", other),
        ])
    }

    /// The map of a service's characteristics.
    private static var all: DocumentTree {
        var properties: [Member] = []
        var known: Set<String> = []
        for definition in Catalogue.characteristics {
            known.insert(definition.id)
            let description = DocumentTree.text(summary(of: definition))
            let member = Member("$ref", .text("#/$defs/\(name(of: definition))"))
            properties.append(.init(definition.id, .inlineMap([.init("description", description), member])))
        }
        for definition in Catalogue.characteristics {
            for name in [definition.name] + definition.aliases where known.insert(name).inserted {
                if Catalogue.characteristic(named: name)?.type == definition.type {
                    properties.append(.init(name, reference(self.name(of: definition))))
                }
            }
        }
        return .map([
            .init(
                "description",
                "The characteristics by name: values, or maps of what is otherwise than in the catalogue."
            ),
            .init("type", "object"),
            .init("properties", .map(properties)),
            .init("patternProperties", .map(byUUID)),
            .init("additionalProperties", reference("own")),
        ])
    }

    /// What names a type of the catalogue.
    private static var catalogued: DocumentTree {
        let names = Catalogue.characteristics.flatMap { [$0.id, $0.name] + $0.aliases }
        let pattern = schema(.init("type", "string"), .init("pattern", .text("^(\(caseless(knownUUIDs)))$")))
        return any(of: [words(Set(names).sorted()), pattern])
    }

    /// Characteristics by their UUIDs: a vendor's, and those of the catalogue.
    private static var byUUID: [Member] {
        let known = knownUUIDs
        return [
            .init("^(\(caseless(known)))$", ifMap(reference("override"), otherwise: scalar)),
            .init(
                "^(?!(\(caseless(known)))$)\(uuidPattern.dropFirst())",
                ifMap(reference("vendor"), otherwise: .flag(false))
            ),
        ]
    }

    /// A pattern for the UUIDs of the catalogue in lower case, Apple's by their first group alone, too.
    private static var knownUUIDs: String {
        let catalogued = Catalogue.characteristics.map { "\($0.type.uuid)".lowercased() }
        let apple = catalogued.filter { $0.hasSuffix(appleBase) }
        let short = apple.map { $0.prefix(8).drop { $0 == "0" } }.joined(separator: "|")
        let others = catalogued.filter { !$0.hasSuffix(appleBase) }
        return "0*(\(short))(\(appleBase))?" + others.map { "|" + $0 }.joined()
    }

    private static let appleBase = "-0000-1000-8000-0026bb765291"

    private static func caseless(_ pattern: String) -> String {
        String(pattern.flatMap { $0.isASCII && $0.isLetter ? "[\($0.lowercased())\($0.uppercased())]" : String($0) })
    }

    /// One line about a characteristic, for people.
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
        return .map([
            .init("if", schema(.init("type", "object"))),
            .init(
                "then",
                .map([
                    .init("allOf", .list([reference("override")])),
                    .init("if", reference("redefined")),
                    .init("else", .inlineMap([.init("properties", .inlineMap([.init("value", value)]))])),
                ])
            ),
            .init("else", value),
        ])
    }

    private static func value(of definition: CharacteristicDefinition) -> DocumentTree {
        let metadata = definition.metadata
        let words = CharacteristicWords(definition.type, metadata)
        let names = definition.valueNames.filter {
            metadata.validValues.isEmpty || metadata.validValues.contains($0.value)
        }
        let none = schema(.init("type", "null"))
        // An editor offers the names as they are here; each is also read in any case.
        let named =
            names.isEmpty
            ? []
            : [
                schema(.init("enum", .list(names.map { .text($0.name) }))),
                schema(.init("type", "string"), .init("pattern", .text(pattern(of: names.map(\.name))))),
            ]
        let switched = words.isSwitch ? [reference("switch")] : []
        let measured = reference(words.units.count > 1 ? "measured" : "number.\(words.units.first?.rawValue ?? "none")")
        switch metadata.format {
        case .bool:
            return any(
                of: [schema(.init("enum", .list([.number(0), .number(1)])))] + switched + named + [
                    reference("number.none"), none,
                ]
            )
        case .string:
            var members: [Member] = [.init("type", .list(["string", "number", "boolean", "null"]))]
            if let least = metadata.minimumLength {
                members.append(.init("minLength", .number(JSONNumber(min(least, 1)))))
            }
            members.append(.init("maxLength", .number(JSONNumber(metadata.maximumLength ?? 64))))
            return .inlineMap(members)
        case .tlv8, .data:
            let base64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
            return schema(.init("type", .list(["string", "number", "null"])), .init("pattern", .text(base64)))
        case .uint8, .uint16, .uint32, .uint64, .int, .float: break
        }
        let whole = metadata.format.integerRange
        var members: [Member] = [.init("type", whole == nil ? "number" : "integer")]
        if !metadata.validValues.isEmpty {
            members = [.init("enum", .list(metadata.validValues.map(DocumentTree.number)))]
        } else {
            if let least = metadata.minimum ?? whole?.lowerBound {
                members.append(.init("minimum", .number(least)))
            }
            if let greatest = metadata.maximum ?? whole?.upperBound {
                members.append(.init("maximum", .number(greatest)))
            }
        }
        return any(of: [.inlineMap(members)] + named + switched + [measured, none])
    }

    /// The words for a switch, and numbers in texts.
    private static var texts: [Member] {
        let words = caseless("on|off|yes|no|true|false")
        return [
            .init("validValue", schema(.init("type", .list(["number", "string", "boolean"])))),
            .init(
                "switch",
                schema(.init("type", .list(["boolean", "string"])), .init("pattern", .text("^(\(words))$")))
            ),
            .init("number.none", measured(in: [])),
            .init("measured", measured(in: CharacteristicUnit.allCases)),
        ] + CharacteristicUnit.allCases.map { .init("number.\($0.rawValue)", measured(in: [$0])) }
    }

    /// A number in a text, alone or with a unit.
    static func measured(in units: [CharacteristicUnit]) -> DocumentTree {
        let number = "[-+]?((0|[1-9][0-9]*)(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?"
        let spellings = units.flatMap(\.spellings).map(caseless).joined(separator: "|")
        let pattern = "^ *\(number)" + (spellings.isEmpty ? " *$" : " *(\(spellings))? *$")
        return schema(.init("type", "string"), .init("pattern", .text(pattern)))
    }

    /// A pattern for names in any case, with or without blanks between their words.
    private static func pattern(of names: [String]) -> String {
        let patterns = names.map { name in
            var pattern = ""
            for letter in name {
                pattern += letter == "_" || letter.isUppercase && !pattern.isEmpty ? "[-_. ]*" : ""
                pattern += letter == "_" ? "" : caseless(String(letter))
            }
            return pattern
        }
        return "^(\(patterns.joined(separator: "|")))$"
    }

    private static func override(isVerbatim: Bool) -> DocumentTree {
        object(CharacteristicField.all.map { .init($0.name, isVerbatim ? $0.verbatimSchema : $0.schema) })
    }
}
