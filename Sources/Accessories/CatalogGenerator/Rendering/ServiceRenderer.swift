/// A renderer of a service type as an element of a table.
struct ServiceRenderer {
    let entry: ServiceEntry

    /// Returns the element.
    func expression() -> SwiftExpression {
        var arguments: [SwiftExpression.Argument] = [
            .init("name", .string(entry.name)),
            .init("id", .string(entry.id)),
        ]
        if let aliases = entry.aliases, !aliases.isEmpty {
            arguments.append(.init("aliases", .array(aliases.map(SwiftExpression.string))))
        }
        arguments.append(.init("type", .text(".\(SwiftName.lowerCamel(entry.id))")))
        arguments.append(.init("required", references(entry.required)))
        arguments.append(.init("optional", references(entry.optional)))
        return .call("ServiceDefinition", arguments)
    }

    private func references(_ references: [ServiceEntry.Reference]) -> SwiftExpression {
        .array(references.map { .text(".\(SwiftName.lowerCamel($0.id))") })
    }
}

/// A renderer of the named constants of the types.
struct TypeRenderer {
    /// The name of the Swift type: `CharacteristicType` or `ServiceType`.
    let typeName: String
    /// The name of the input file.
    let source: String

    /// Returns the file of constants.
    ///
    /// - Throws: ``CatalogError`` if two ids have the same Swift name.
    func file(_ types: [(name: String, id: String, uuid: String)]) throws -> RenderedFile {
        var names: Set<String> = []
        var body = "extension \(typeName) {\n"
        var needsUUID = false
        for type in types.sorted(by: { $0.id < $1.id }) {
            let location = "\(typeName) \(type.id)"
            let literal = try TypeLiteral(uuid: type.uuid, at: location)
            let name = SwiftName.lowerCamel(type.id)
            guard names.insert(name).inserted else {
                throw CatalogError(.duplicate, "the Swift name \(name) is used twice", at: location)
            }
            needsUUID = needsUUID || literal.short == nil
            body += "    /// \(type.name).\n"
            body += "    public static let \(SwiftName.declaration(name)) = \(typeName)(\(literal.arguments))\n"
        }
        body += "}\n"
        return RenderedFile(
            name: "\(typeName)+Catalog.swift",
            source: source,
            imports: needsUUID ? ["HAPCore"] : [],
            body: body
        )
    }
}

/// The UUID of a type as Swift source.
struct TypeLiteral: Hashable, Sendable {
    /// The short form, or `nil` if the UUID does not have Apple's base.
    let short: String?
    private let high: UInt64
    private let low: UInt64

    private static let appleSuffix = "-0000-1000-8000-0026BB765291"

    /// Parses a full UUID in upper case.
    ///
    /// - Throws: ``CatalogError`` for any other text.
    init(uuid: String, at location: String) throws {
        let groups = uuid.split(separator: "-", omittingEmptySubsequences: false)
        let digits = groups.joined()
        guard groups.map(\.count) == [8, 4, 4, 4, 12], uuid == uuid.uppercased(),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
        else {
            throw CatalogError(.malformed, "\(uuid) is not a UUID in upper case", at: location)
        }
        self.high = high
        self.low = low
        short = uuid.hasSuffix(Self.appleSuffix) ? String(high >> 32, radix: 16, uppercase: true) : nil
    }

    /// The arguments of the type's initializer: the short number, or the two halves of the UUID.
    var arguments: String {
        if short != nil {
            "apple: \(Self.hexadecimal(high >> 32, digits: 8))"
        } else {
            "HAPUUID(high: \(Self.hexadecimal(high, digits: 16)), low: \(Self.hexadecimal(low, digits: 16)))"
        }
    }

    private static func hexadecimal(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, digits - text.count)) + text
        var grouped = "0x"
        for (position, digit) in padded.enumerated() {
            if position > 0, position.isMultiple(of: 4) {
                grouped.append("_")
            }
            grouped.append(digit)
        }
        return grouped
    }
}
