/// A renderer of a characteristic type as an element of a table.
struct CharacteristicRenderer {
    let entry: CharacteristicEntry

    /// Returns the element.
    ///
    /// - Throws: ``CatalogError`` if Swift has no name for the format, a permission, the unit or an access.
    func expression() throws -> SwiftExpression {
        var arguments: [SwiftExpression.Argument] = [
            .init("name", .string(entry.name)),
            .init("id", .string(entry.id)),
        ]
        if let aliases = entry.aliases, !aliases.isEmpty {
            arguments.append(.init("aliases", .array(aliases.map(SwiftExpression.string))))
        }
        arguments.append(.init("type", .text(".\(SwiftName.lowerCamel(entry.id))")))
        arguments.append(.init("metadata", .call("CharacteristicMetadata", try metadata())))
        arguments.append(.init("permissions", try optionSet(entry.permissions, Self.permissions, "permission")))
        if let access = entry.adminOnlyAccess, !access.isEmpty {
            arguments.append(.init("adminOnly", try optionSet(access, Self.adminOnly, "access")))
        }
        if let values = entry.validValues, !values.isEmpty {
            arguments.append(.init("valueNames", names(values)))
        }
        if let bits = entry.validBits, !bits.isEmpty {
            arguments.append(.init("bitNames", names(bits)))
        }
        return .call("CharacteristicDefinition", arguments)
    }

    private func metadata() throws -> [SwiftExpression.Argument] {
        guard Self.formats.contains(entry.format) else { throw unsupported("format", entry.format) }
        var arguments: [SwiftExpression.Argument] = [.init("format", .text(".\(entry.format)"))]
        if let unit = entry.unit {
            guard Self.units.contains(unit) else { throw unsupported("unit", unit) }
            arguments.append(.init("unit", .text(".\(unit)")))
        }
        let numbers: [(String, String?)] = [
            ("minimum", entry.minValue?.description),
            ("maximum", entry.maxValue?.description),
            ("step", entry.stepValue?.description),
            ("minimumLength", entry.minLength?.description),
            ("maximumLength", entry.maxLength?.description),
            ("maximumDataLength", entry.maxDataLength?.description),
        ]
        for case (let label, let number?) in numbers {
            arguments.append(.init(label, .text(number)))
        }
        // The values of a bool have names, but only numeric formats have a list of valid values.
        if let values = entry.validValues?.values, !values.isEmpty, entry.format != "bool" {
            arguments.append(.init("validValues", .array(Set(values).sorted().map { .text($0.description) })))
        }
        return arguments
    }

    private func names(_ numbers: [String: InputNumber]) -> SwiftExpression {
        let ordered = numbers.sorted { ($0.value.double, $0.key) < ($1.value.double, $1.key) }
        return .array(
            ordered.map { name, value in
                .call("ValueName", [.init("", .string(name)), .init("", .text(value.description))])
            }
        )
    }

    private func optionSet(_ names: [String], _ known: [(String, String)], _ kind: String) throws -> SwiftExpression {
        if let unknown = names.first(where: { name in !known.contains { $0.0 == name } }) {
            throw unsupported(kind, unknown)
        }
        return .array(known.filter { names.contains($0.0) }.map { .text(".\($0.1)") })
    }

    private func unsupported(_ kind: String, _ name: String) -> CatalogError {
        CatalogError(.unsupported, "the \(kind) \(name) is unknown", at: "characteristic \(entry.id)")
    }

    private static let formats: Set<String> = [
        "bool", "uint8", "uint16", "uint32", "uint64", "int", "float", "string", "tlv8", "data",
    ]

    private static let units: Set<String> = ["celsius", "percentage", "arcdegrees", "lux", "seconds"]

    private static let permissions = [
        ("pr", "read"), ("pw", "write"), ("ev", "events"), ("aa", "additionalAuthorization"), ("tw", "timedWrite"),
        ("hd", "hidden"), ("wr", "writeResponse"),
    ]

    private static let adminOnly = [("read", "read"), ("write", "write"), ("notify", "notify")]
}
