internal import AccessoryModel
internal import Documents
internal import HAPCore

/// A key of a characteristic that is written as a map: how it is read, written, and described in the schema.
///
/// A new key is a new entry of ``all``.
struct CharacteristicField: Sendable {
    let name: String
    /// What a schema says of its value.
    let schema: DocumentTree
    /// What a schema says of it in the picture of a device, where more may be beyond HAP.
    let verbatimSchema: DocumentTree
    /// Whether with it the values are no longer those of the catalogue.
    let redefines: Bool
    /// The formats whose values have it.
    let formats: [CharacteristicFormat]
    /// Takes its value over into a characteristic.
    let read: @Sendable (DocumentField, inout Characteristic, inout DefinitionSession) -> Void
    /// What is written of a characteristic beside what holds for its type; `nil` when nothing has to be.
    let write: @Sendable (Characteristic, _ standard: Characteristic) -> DocumentTree?

    private init(
        _ name: String,
        _ documentation: String,
        _ schema: DocumentTree,
        verbatim: (documentation: String, schema: DocumentTree)? = nil,
        redefines: Bool = false,
        formats: [CharacteristicFormat] = CharacteristicFormat.allCases,
        read: @escaping @Sendable (DocumentField, inout Characteristic, inout DefinitionSession) -> Void = { _, _, _ in
        },
        write: @escaping @Sendable (Characteristic, _ standard: Characteristic) -> DocumentTree? = { _, _ in nil }
    ) {
        self.name = name
        self.schema = Self.described(schema, documentation)
        verbatimSchema = verbatim.map { Self.described($0.schema, $0.documentation) } ?? self.schema
        self.redefines = redefines
        self.formats = formats
        self.read = read
        self.write = write
    }

    private static func described(_ schema: DocumentTree, _ documentation: String) -> DocumentTree {
        .inlineMap((documentation.isEmpty ? [] : JSONSchema.described(documentation)) + schema.members)
    }

    // MARK: The table

    /// The keys, in the order in which they are read and written.
    static let all: [CharacteristicField] = [
        // What is read and written of these two depends on the whole map.
        .init(
            "value",
            "The value; null for none.",
            JSONSchema.schema(.init("type", .list(["string", "number", "boolean", "null"])))
        ),
        .init("type", "The UUID of the type.", AccessorySchema.text(), redefines: true),
        .init(
            "format",
            "How values are typed.",
            JSONSchema.words(CharacteristicFormat.allCases.map(\.rawValue)),
            redefines: true,
            read: { field, characteristic, session in
                guard let format = session.word(field, DefinitionSession.formats) else { return }
                characteristic.metadata.format = format
            },
            write: { characteristic, standard in
                let isKnown = Catalogue.characteristic(characteristic.type) != nil
                guard !isKnown || characteristic.metadata.format != standard.metadata.format else { return nil }
                return .text(characteristic.metadata.format.rawValue)
            }
        ),
        .init(
            "unit",
            "The unit of a number.",
            JSONSchema.words(units.map(\.0)),
            formats: CharacteristicFormat.allCases.filter { $0 != .bool },
            read: { field, characteristic, session in
                guard let unit = session.word(field, units) else { return }
                characteristic.metadata.unit = unit
            },
            write: { characteristic, standard in
                guard characteristic.metadata.unit != standard.metadata.unit else { return nil }
                return .text(characteristic.metadata.unit?.rawValue ?? "none")
            }
        ),
        .init(
            "range",
            "LEAST...GREATEST; one side may be left out; none for none.",
            JSONSchema.schema(
                .init("type", "string"),
                .init("pattern", .text("^(none| *(\(number))? *\\.\\.\\. *(\(number))? *)$"))
            ),
            redefines: true,
            formats: numeric,
            read: { field, characteristic, session in session.range(field, &characteristic.metadata) },
            write: { characteristic, standard in
                let (metadata, standard) = (characteristic.metadata, standard.metadata)
                guard metadata.minimum != standard.minimum || metadata.maximum != standard.maximum else { return nil }
                guard metadata.minimum != nil || metadata.maximum != nil else { return .text("none") }
                return .word("\(metadata.minimum?.definitionText ?? "")...\(metadata.maximum?.definitionText ?? "")")
            }
        ),
        .init(
            "step",
            "The distance between numbers, counted from the least; none for none.",
            orNone(JSONSchema.schema(.init("type", "number"), .init("exclusiveMinimum", .number(0)))),
            verbatim: (
                "The distance between numbers; none for none.", orNone(JSONSchema.schema(.init("type", "number")))
            ),
            formats: numeric,
            read: { field, characteristic, session in session.step(field, &characteristic.metadata) },
            write: { characteristic, standard in
                guard characteristic.metadata.step != standard.metadata.step else { return nil }
                return characteristic.metadata.step.map(DocumentTree.number) ?? .text("none")
            }
        ),
        .init(
            "validValues",
            "The only numbers allowed, ascending; none for all in range.",
            orNone(
                JSONSchema.schema(
                    .init("type", "array"),
                    .init("minItems", .number(1)),
                    .init("uniqueItems", .flag(true)),
                    .init("items", JSONSchema.reference("validValue"))
                )
            ),
            verbatim: (
                "The only numbers allowed; none for all in range.",
                orNone(AccessorySchema.list(of: JSONSchema.reference("validValue"), "The numbers, in any order."))
            ),
            redefines: true,
            formats: numeric,
            read: { field, characteristic, session in
                characteristic.metadata.validValues = session.validValues(field, of: characteristic)
            },
            write: { characteristic, standard in
                let values = characteristic.metadata.validValues
                guard values != standard.metadata.validValues else { return nil }
                return values.isEmpty ? .text("none") : .list(values.map(DocumentTree.number))
            }
        ),
        length("minLength", \.minimumLength, 0...256, "The least length of a text in bytes.", formats: [.string]),
        length("maxLength", \.maximumLength, 1...256, "The greatest length of a text in bytes.", formats: [.string]),
        length(
            "maxDataLength",
            \.maximumDataLength,
            1...(1 << 31),
            "The greatest length of data or tlv8 in bytes.",
            formats: [.tlv8, .data]
        ),
        .init(
            "permissions",
            "",
            AccessorySchema.list(
                of: JSONSchema.words(permissions.map(\.0)),
                "What a controller may do; a vendor's without it, pr."
            ),
            read: { field, characteristic, session in
                characteristic.permissions = session.set(field, permissions)
            },
            write: { characteristic, standard in
                guard characteristic.permissions != standard.permissions, !isJustHidden(characteristic, standard) else {
                    return nil
                }
                return .list(characteristic.permissions.names.map(DocumentTree.text))
            }
        ),
        .init(
            "hidden",
            "",
            AccessorySchema.flag("Whether people do not see it."),
            read: { field, characteristic, session in
                if session.flag(field) { characteristic.permissions.insert(.hidden) }
            },
            write: { isJustHidden($0, $1) ? .flag(true) : nil }
        ),
        .init(
            "adminOnly",
            "",
            AccessorySchema.list(of: JSONSchema.words(accesses.map(\.0)), "What only admins may do."),
            read: { field, characteristic, session in characteristic.adminOnly = session.set(field, accesses) },
            write: { characteristic, standard in
                guard characteristic.adminOnly != standard.adminOnly else { return nil }
                return .list(accesses.filter { characteristic.adminOnly.contains($0.1) }.map { .text($0.0) })
            }
        ),
        .init(
            "description",
            "What a controller's developer reads.",
            AccessorySchema.text(),
            read: { field, characteristic, session in
                if let text = session.text(field) { characteristic.description = text }
            },
            write: { characteristic, standard in
                guard let text = characteristic.description, text != standard.description else { return nil }
                return .text(text)
            }
        ),
        // The definition's encoder numbers all objects, and writes the ids itself.
        .init(
            "iid",
            "",
            JSONSchema.reference("iid"),
            verbatim: ("", JSONSchema.reference("verbatimID")),
            read: { field, characteristic, session in characteristic.iid = session.instanceID(field) }
        ),
    ]

    private static func length(
        _ name: String,
        _ path: any WritableKeyPath<CharacteristicMetadata, Int?> & Sendable,
        _ range: ClosedRange<UInt64>,
        _ documentation: String,
        formats: [CharacteristicFormat]
    ) -> CharacteristicField {
        .init(
            name,
            documentation,
            orNone(Format<UInt64>.integer(in: range).schema.tree),
            verbatim: (
                "A length in bytes, whatever it is.", orNone(JSONSchema.schema(.init("type", "integer")))
            ),
            redefines: true,
            formats: formats,
            read: { field, characteristic, session in
                characteristic.metadata[keyPath: path] = session.length(field, in: range)
            },
            write: { characteristic, standard in
                let length = characteristic.metadata[keyPath: path]
                guard length != standard.metadata[keyPath: path] else { return nil }
                return length.map { .number(JSONNumber($0)) } ?? .text("none")
            }
        )
    }

    // MARK: Parts

    private static let numeric: [CharacteristicFormat] = [.uint8, .uint16, .uint32, .uint64, .int, .float]
    private static let number = "[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?"
    private static let units =
        CharacteristicUnit.allCases.map { ($0.rawValue, Optional($0)) } + [("none", CharacteristicUnit?.none)]
    private static let permissions = CharacteristicPermissions.names.map { ($0.name, $0.permission) }
    private static let accesses: [(String, AdminOnlyAccess)] = [
        ("read", .read), ("write", .write), ("notify", .notify),
    ]

    private static func orNone(_ schema: DocumentTree) -> DocumentTree {
        JSONSchema.any(of: [schema, JSONSchema.schema(.init("const", "none"))])
    }

    /// Whether nothing differs in the permissions but that people do not see it.
    private static func isJustHidden(_ characteristic: Characteristic, _ standard: Characteristic) -> Bool {
        !standard.permissions.contains(.hidden)
            && characteristic.permissions == standard.permissions.union(.hidden)
    }
}

extension DefinitionSession {
    /// A set of words.
    fileprivate mutating func set<Set: SetAlgebra>(_ field: DocumentField, _ words: [(String, Set)]) -> Set {
        list(field).reduce(into: []) { set, field in set.formUnion(word(field, words) ?? []) }
    }
}
