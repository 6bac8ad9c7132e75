internal import AccessoryModel
internal import Documents
internal import HAPCore

extension Property<Characteristic> {
    // MARK: The table

    private static let tables = [table(isVerbatim: false), table(isVerbatim: true)]

    /// Returns the keys of a characteristic that is written as a map, in order.
    ///
    /// Properties that follow from its type are not written.
    ///
    /// - Parameter isVerbatim: Whether to return the keys of a verbatim file, whose values may violate HAP.
    static func all(isVerbatim: Bool) -> [Property] {
        tables[isVerbatim ? 1 : 0]
    }

    private static func table(isVerbatim: Bool) -> [Property] {
        let text = Format<Int?>.length(0...256, isVerbatim)
        let most = Format<Int?>.length(1...256, isVerbatim)
        let data = Format<Int?>.length(1...(1 << 31), isVerbatim)
        let step = Format<JSONNumber?>.orNone(.step(isVerbatim))
        return [
            // These two depend on the whole map, so they are read and written elsewhere.
            .custom(
                "value",
                "The value; null for none. Default: one that is usual in a home, such as 20 °C; else the minimum, false or an "
                    + "empty text.",
                schema: .scalar
            ),
            .custom("type", "The UUID of a vendor's type. Default: the key.", schema: Format.text.schema),
            .defaulted("format", \.metadata.format, .format, "The format of values. Default: the catalog's."),
            .defaulted("unit", \.metadata.unit, .unit, "The unit of a number. Default: the catalog's."),
            .custom(
                "range",
                "The range MINIMUM...MAXIMUM; one side may be left out; none for no range. Default: the catalog's.",
                schema: .range,
                read: { $2.range($0, &$1.metadata, isVerbatim) },
                write: { $0.metadata.documentRange(comparedTo: $1.metadata) }
            ),
            .defaulted("step", \.metadata.step, step, "The distance between numbers. Default: the catalog's."),
            .custom(
                "validValues",
                "The only numbers or names allowed, ascending; none for all in range. Default: the catalog's.",
                schema: .validValues(isVerbatim),
                read: { $1.metadata.validValues = $2.validValues($0, of: $1, isVerbatim) },
                write: { $0.metadata.documentValidValues(comparedTo: $1.metadata) }
            ),
            .defaulted(
                "minLength",
                \.metadata.minimumLength,
                text,
                "The minimum number of bytes of a text. Default: the catalog's, else 0."
            ),
            .defaulted(
                "maxLength",
                \.metadata.maximumLength,
                most,
                "The maximum number of bytes of a text. Default: the catalog's, else 64."
            ),
            .defaulted(
                "maxDataLength",
                \.metadata.maximumDataLength,
                data,
                "The maximum number of bytes of data or tlv8. Default: the catalog's, else 2,097,152."
            ),
            .custom(
                "permissions",
                "The permissions of controllers: pr or read, pw or write, ev or notify, and aa, tw, hd and wr. Default: the "
                    + "catalog's; pr, pw, ev for a vendor's type.",
                schema: Format.permissions.schema,
                read: { $1.permissions = Format.permissions.read($0, &$2) ?? [] },
                write: {
                    $0.permissions == $1.permissions || $0.isSameButHidden(as: $1)
                        ? nil : Format.permissions.write($0.permissions)
                }
            ),
            .custom(
                "hidden",
                "Whether it is hidden from users; adds hd.",
                schema: Format.boolean.schema,
                read: { if Format.boolean.read($0, &$2) == true { $1.permissions.insert(.hidden) } },
                write: { $0.isSameButHidden(as: $1) ? .bool(true) : nil }
            ),
            .defaulted(
                "adminOnly",
                \.adminOnly,
                .adminOnly,
                "The kinds of access that only admins have. Default: the catalog's."
            ),
            .defaulted(
                "description",
                \.description,
                Format<String>.text.map({ Optional($0) }, { $0 ?? "" }),
                "The description for developers of controllers. Default: for a vendor's type, its key."
            ),
            .optional(
                "iid",
                \.iid,
                .iid(isVerbatim: isVerbatim),
                "The instance id. Default: the saved one, or the next free one."
            ),
        ]
    }

    /// Whether the property changes the valid values of the catalog.
    var changesValueDomain: Bool {
        ["type", "format", "range", "validValues", "minLength", "maxLength", "maxDataLength"].contains(key.name)
    }

    /// Returns whether values of a format have the property.
    func applies(to format: CharacteristicFormat) -> Bool {
        switch key.name {
        case "unit": format != .bool
        case "range", "step", "validValues": format == .float || format.integerRange != nil
        case "minLength", "maxLength": format == .string
        case "maxDataLength": format == .tlv8 || format == .data
        default: true
        }
    }
}

extension Characteristic {
    /// Returns whether the permissions are the standard ones with `hidden` added.
    fileprivate func isSameButHidden(as standard: Characteristic) -> Bool {
        !standard.permissions.contains(.hidden) && permissions == standard.permissions.union(.hidden)
    }
}

extension CharacteristicMetadata {
    fileprivate func documentRange(comparedTo standard: CharacteristicMetadata) -> DocumentTree? {
        if minimum == standard.minimum, maximum == standard.maximum { return nil }
        if minimum == nil, maximum == nil { return .text("none") }
        return .word("\(minimum?.definitionText ?? "")...\(maximum?.definitionText ?? "")")
    }

    fileprivate func documentValidValues(comparedTo standard: CharacteristicMetadata) -> DocumentTree? {
        if validValues == standard.validValues { return nil }
        return validValues.isEmpty ? .text("none") : .list(validValues.map(DocumentTree.number))
    }
}

extension Schema {
    /// The schema of a scalar.
    static let scalar = Schema(.init("type", .list(["string", "number", "boolean", "null"])))

    fileprivate static let range: Schema = {
        let number = "[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?"
        let pattern = "^(none| *(\(number))? *\\.\\.\\. *(\(number))? *)$"
        return Schema(.init("type", "string"), .init("pattern", .text(pattern)))
    }()

    fileprivate static func validValues(_ isVerbatim: Bool) -> Schema {
        let demands: [DocumentTree.Member] =
            isVerbatim ? [] : [.init("minItems", .number(1)), .init("uniqueItems", .bool(true))]
        let list = DocumentTree.inlineMap(
            [.init("type", "array")] + demands + [.init("items", JSONSchema.reference("validValue"))]
        )
        return Schema(tree: JSONSchema.any(of: [list, JSONSchema.none]))
    }
}

// MARK: Formats

extension JSONSchema {
    fileprivate static let none = schema(.init("const", "none"))
}

extension DocumentField {
    /// Whether the value is the word `none`.
    var isNone: Bool { node.scalar?.text == "none" }
}

extension Format {
    /// Returns the format of a value or the word `none`.
    fileprivate static func orNone<Wrapped>(_ format: Format<Wrapped>) -> Format where Value == Wrapped? {
        Format(
            schema: format.schema.map { JSONSchema.any(of: [$0, JSONSchema.none]) },
            read: { field, reader in field.isNone ? .some(nil) : format.read(field, &reader).map { .some($0) } },
            write: { $0.map(format.write) ?? .text("none") }
        )
    }

    /// Returns the format of a list of words from a set; other words are reported and omitted.
    ///
    /// - Parameter synonyms: Words that are read, but not written.
    fileprivate static func set(of words: [(String, Value)], synonyms: [(String, Value)] = []) -> Format
    where Value: SetAlgebra & Hashable & Sendable, Value.Element == Value {
        let format = Format.word(words + synonyms)
        return Format(
            schema: .array(of: format.schema),
            read: { field, reader in
                reader.list(field).reduce(into: []) { $0.formUnion(format.read($1, &reader) ?? []) }
            },
            write: { set in .list(words.filter { set.contains($0.1) }.map { .text($0.0) }) }
        )
    }
}

extension Format<CharacteristicFormat> {
    static let format = Format.word(CharacteristicFormat.allCases.map { ($0.rawValue, $0) })
}

extension Format<CharacteristicUnit?> {
    fileprivate static let unit = Format.word(
        CharacteristicUnit.allCases.map { ($0.rawValue, Optional($0)) } + [("none", nil)]
    )
}

extension Format<CharacteristicPermissions> {
    /// HAP's names come first, because a set is written with them.
    fileprivate static let permissions = Format.set(
        of: CharacteristicPermissions.names.map { ($0.name, $0.permission) },
        synonyms: [("read", .read), ("write", .write), ("notify", .events)]
    )
}

extension Format<AdminOnlyAccess> {
    fileprivate static let adminOnly = Format.set(of: [("read", .read), ("write", .write), ("notify", .notify)])
}

extension Format<JSONNumber> {
    fileprivate static func step(_ isVerbatim: Bool) -> Format {
        Format(
            schema: isVerbatim
                ? Schema(.init("type", "number"))
                : Schema(.init("type", "number"), .init("exclusiveMinimum", .number(0))),
            read: { field, reader in
                if case .number(let step) = field.node.scalar?.meaning, step > 0 || isVerbatim { return step }
                reader.report(field, "\(field.node.kind) is not a step; write a number above 0, or none")
                return nil
            },
            write: DocumentTree.number
        )
    }
}

extension Format<Int?> {
    /// Returns the format of a number of bytes, or `none`; a verbatim file may contain any number.
    fileprivate static func length(_ range: ClosedRange<Int>, _ isVerbatim: Bool) -> Format {
        var format = Format<Int>.integer(in: range)
        if isVerbatim {
            format.schema = Schema(.init("type", "integer"))
            format.read = { [read = format.read] field, reader in
                if case .number(let number) = field.node.scalar?.meaning, let length = number.integer(as: Int.self) {
                    return length
                }
                return read(field, &reader)
            }
            format.write = { .number(JSONNumber($0)) }
        }
        return .orNone(format)
    }
}

extension DocumentReader {
    fileprivate mutating func range(
        _ field: DocumentField,
        _ metadata: inout CharacteristicMetadata,
        _ isVerbatim: Bool
    ) {
        metadata.minimum = nil
        metadata.maximum = nil
        guard !field.isNone else { return }
        let text = field.node.scalar?.text ?? ""
        let dots = text.firstRange(of: "...")
        let sides = dots.map { [text[..<$0.lowerBound], text[$0.upperBound...]].map { $0.trimmed } } ?? []
        let limits = sides.map { JSONNumber(decimal: $0) }
        guard text != "...", !sides.isEmpty, zip(sides, limits).allSatisfy({ $0.isEmpty || $1 != nil }) else {
            report(
                field,
                "\(field.node.kind) is not a range; write MINIMUM...MAXIMUM, such as 0...100; "
                    + "omit one side for no limit, or write none"
            )
            return
        }
        if !isVerbatim, let least = limits[0], let greatest = limits[1], least > greatest {
            return report(field, "the range begins above its end; write \(greatest)...\(least)")
        }
        let whole = isVerbatim ? nil : metadata.format.integerRange
        let wrong = limits.compactMap(\.self)
            .first { limit in
                whole.map { !$0.contains(limit) || limit.integer(as: Int128.self) == nil } ?? false
            }
        if let wrong, let whole {
            let form = "\(whole.lowerBound) to \(whole.upperBound)"
            return report(
                field,
                "\(wrong) is not a value of \(metadata.format.rawValue); write whole numbers from \(form)"
            )
        }
        metadata.minimum = limits[0]
        metadata.maximum = limits[1]
    }

    fileprivate mutating func validValues(
        _ field: DocumentField,
        of characteristic: Characteristic,
        _ isVerbatim: Bool
    ) -> [JSONNumber] {
        guard !field.isNone else { return [] }
        let words = characteristic.base
        let hasNames = Catalog.characteristic(characteristic.type)?.valueNames.isEmpty == false
        let allowed = hasNames ? words.allowedValues : "a number"
        let values = list(field)
            .compactMap { field -> JSONNumber? in
                if let number = field.node.scalar.flatMap({ words.number(of: $0.text) }) { return number }
                report(field, "\(field.node.kind) is not a number; write \(allowed)")
                return nil
            }
        guard !isVerbatim else { return values }
        if field.node.elements?.isEmpty == true {
            report(field, "no value is valid; list some, or write none to allow all")
        }
        if zip(values, values.dropFirst()).contains(where: { $0 >= $1 }) {
            let ascending = Set(values).sorted()
            let reason =
                ascending.count < values.count
                ? "a value occurs twice; remove one of them"
                : "the values are not in ascending order; sort them"
            report(field, "\(reason); write \(ascending)")
        }
        return values
    }
}

extension Substring {
    /// The text without surrounding spaces.
    fileprivate var trimmed: String {
        let text = drop { $0 == " " }
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
