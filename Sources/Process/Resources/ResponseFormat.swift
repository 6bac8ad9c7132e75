package import AccessoryModel
package import Documents
package import HAPCore

extension Format {
    /// Creates the format of an object that is only written, with its schema under a name.
    package init(response name: String, _ properties: Property<Value>...) {
        self.init(response: name, properties: properties)
    }

    /// Creates the format of an object that is only written, from a list of properties.
    package init(response name: String, properties: [Property<Value>]) {
        self.init(written: Schema.object(properties.map(\.key)).defined(as: name)) { value in
            .map(properties.members(of: value, comparedTo: value))
        }
    }

    /// Creates the format of values that are only written.
    package init(written schema: Schema, _ write: @escaping @Sendable (Value) -> DocumentTree) {
        self.init(schema: schema, read: { _, _ in nil }, write: write)
    }

    /// Returns the format of a value, or of `null` for none.
    package static func nullable<Wrapped>(_ format: Format<Wrapped>) -> Format where Value == Wrapped? {
        Format(
            schema: format.schema.map { tree in
                let null = JSONSchema.schema(.init("type", "null"))
                guard let type = tree.members.first(where: { $0.key == "type" })?.value else {
                    return JSONSchema.any(of: [tree, null])
                }
                let types = if case .list(let types) = type { types } else { [type] }
                return .inlineMap(
                    [.init("type", .list(types + ["null"]))] + tree.members.filter { $0.key != "type" }
                )
            },
            read: { field, reader in
                if field.node.scalar?.meaning == .null { return .some(nil) }
                return format.read(field, &reader).map { .some($0) }
            },
            write: { $0.map(format.write) ?? .null }
        )
    }

    /// Returns the format of an object with any keys, which are written in order.
    package static func map<Element>(of format: Format<Element>) -> Format where Value == [String: Element] {
        let schema = format.schema.map { tree in
            DocumentTree.inlineMap([.init("type", "object"), .init("additionalProperties", tree)])
        }
        return Format(written: schema) { values in
            .map(values.sorted { $0.key < $1.key }.map { .init($0.key, format.write($0.value)) })
        }
    }

    /// Returns a value as JSON on one line, without a line break.
    package func json(_ value: Value) -> String {
        String(decoding: JSONWriter.bytes(of: write(value)), as: UTF8.self)
    }
}

extension Property {
    /// Declares a member of a response.
    package static func written<Value>(
        _ key: String,
        _ path: any KeyPath<Owner, Value> & Sendable,
        _ format: Format<Value>,
        _ documentation: String
    ) -> Property {
        Property.custom(
            key,
            documentation,
            schema: format.schema,
            write: { owner, _ in format.write(owner[keyPath: path]) }
        )
        .markedRequired()
    }

    /// Declares a member of a response that is missing if it has no value.
    package static func written<Value>(
        _ key: String,
        _ path: any KeyPath<Owner, Value?> & Sendable,
        _ format: Format<Value>,
        _ documentation: String
    ) -> Property {
        Property.custom(
            key,
            documentation,
            schema: format.schema,
            write: { owner, _ in owner[keyPath: path].map(format.write) }
        )
    }
}

extension Format<String> {
    /// A text; numbers are not accepted.
    package static let string = Format(
        schema: Schema(.init("type", "string")),
        read: { field, reader in
            if case .text? = field.node.scalar?.meaning { return field.node.scalar?.text }
            reader.report(field, "expected text, but found \(field.node.kind); write text in quotes")
            return nil
        },
        write: DocumentTree.text
    )

    /// Returns the write-only format of a string with a fixed set of values.
    package static func word(_ words: [String]) -> Format {
        Format(written: Schema(.init("enum", .list(words.map(DocumentTree.text)))), DocumentTree.text)
    }
}

extension Format<JSONValue> {
    /// Any JSON value.
    package static let json = Format(written: Schema()) { DocumentTree($0) }
}

extension Format where Value: FixedWidthInteger & Sendable {
    /// Any integer of the type.
    package static var integer: Format { .integer(in: .min ... .max) }
}

extension Format<Int> {
    /// A number from 0.
    package static let count = Format<Int>.integer(in: 0...Int(Int32.max))
    /// A status that HAP defines.
    package static let hapStatus = Format.integer(in: -70_500...0)
}

extension Format<UInt64> {
    /// An id, which can be as large as HAP allows.
    package static let id = Format.integer
}

extension Format<Double> {
    /// Any number.
    package static let number = Format(
        schema: Schema(.init("type", "number")),
        read: { field, reader in
            if case .number(let number) = field.node.scalar?.meaning { return number.double }
            reader.report(field, "\(field.node.kind) is not a number; write one")
            return nil
        },
        write: { JSONNumber($0).map(DocumentTree.number) ?? .null }
    )

    /// Returns the format of a number in a range.
    package static func number(in range: ClosedRange<Double>) -> Format {
        func bound(_ value: Double) -> DocumentTree { JSONNumber(value).map(DocumentTree.number) ?? .null }
        var format = number.schema(
            .init("type", "number"),
            .init("minimum", bound(range.lowerBound)),
            .init("maximum", bound(range.upperBound))
        )
        format.read = { field, reader in
            guard let value = number.read(field, &reader) else { return nil }
            guard range.contains(value) else {
                reader.report(
                    field,
                    "\(value) is out of range; write a number from \(range.lowerBound) to \(range.upperBound)"
                )
                return nil
            }
            return value
        }
        return format
    }
}

extension Format<JSONNumber> {
    package static let number = Format(written: Schema(.init("type", "number")), DocumentTree.number)
}

extension Format<CharacteristicValue> {
    /// The value of a characteristic; bytes are Base64.
    package static let value = Format(written: Schema(.init("type", .list(["boolean", "number", "string"])))) { value in
        DocumentTree(value.json)
    }
}

extension JSONWriter {
    /// Returns the JSON text of a tree.
    package static func bytes(of tree: DocumentTree) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 512)
        writer.value(tree)
        return writer.finish()
    }

    /// Writes a tree.
    package mutating func value(_ tree: DocumentTree) {
        switch tree {
        case .text(let text), .word(let text): value(text)
        case .number(let number): value(number)
        case .bool(let flag): value(flag)
        case .null: null()
        case .list(let elements):
            beginArray()
            for element in elements { value(element) }
            endArray()
        case .map(let members), .inlineMap(let members):
            beginObject()
            for member in members {
                key(member.key)
                value(member.value)
            }
            endObject()
        }
    }
}
