internal import HAPCore

/// The format of values of one type in a document: one declaration for the reader, the writer and the schema.
///
/// Formats of scalars, lists and objects are combined into the format of a whole file. See ``Field`` for objects and
/// ``Choice`` for alternatives.
package struct Format<Value>: Sendable {
    /// The JSON Schema of the values.
    package var schema: Schema
    /// Reads a value, or reports its errors and returns `nil`.
    package var read: @Sendable (DocumentField, inout DocumentReader) -> Value?
    /// Writes a value.
    package var write: @Sendable (Value) -> DocumentTree

    package init(
        schema: Schema,
        read: @escaping @Sendable (DocumentField, inout DocumentReader) -> Value?,
        write: @escaping @Sendable (Value) -> DocumentTree
    ) {
        self.schema = schema
        self.read = read
        self.write = write
    }

    /// Returns the format with its schema moved to a named definition, to which the format then refers.
    package func defined(as name: String) -> Format {
        var format = self
        format.schema = schema.defined(as: name)
        return format
    }

    /// Returns a recursive format, whose schema refers to the definition with this name.
    package static func recursive(_ name: String, _ format: @escaping @Sendable () -> Format) -> Format {
        Format(
            schema: .reference(name),
            read: { field, reader in format().read(field, &reader) },
            write: { format().write($0) }
        )
    }

    /// Returns the format of values that are converted from the values of this format.
    package func map<Other>(
        _ make: @escaping @Sendable (Value) -> Other,
        _ take: @escaping @Sendable (Other) -> Value
    ) -> Format<Other> {
        Format<Other>(
            schema: schema,
            read: { [read] field, reader in read(field, &reader).map(make) },
            write: { [write] in write(take($0)) }
        )
    }

    /// Returns the format of values that are converted from this format's values, if the conversion succeeds.
    ///
    /// If it fails, reading returns `nil` without a further error.
    package func compactMap<Other>(
        _ make: @escaping @Sendable (Value) -> Other?,
        _ take: @escaping @Sendable (Other) -> Value
    ) -> Format<Other> {
        Format<Other>(
            schema: schema,
            read: { [read] field, reader in read(field, &reader).flatMap(make) },
            write: { [write] in write(take($0)) }
        )
    }

    /// Returns the format of values with their location in the document.
    package func located() -> Format<Located<Value>> where Value: Sendable & Hashable {
        Format<Located<Value>>(
            schema: schema,
            read: { [read] field, reader in read(field, &reader).map { Located($0, at: field.location) } },
            write: { [write] in write($0.value) }
        )
    }
}

// MARK: Scalars

extension Format<String> {
    /// A text; a number is read as its written text.
    package static let text = Format(
        schema: Schema(.init("type", .list(["string", "number"]))),
        read: { field, reader in reader.text(field) },
        write: DocumentTree.text
    )

    /// Returns the format of a text of limited length; a number is read as its written text.
    package static func text(bytes: ClosedRange<Int>) -> Format {
        Format(
            schema: Schema(
                .init("type", .list(["string", "number"])),
                .init("minLength", .number(JSONNumber(min(bytes.lowerBound, 1)))),
                .init("maxLength", .number(JSONNumber(bytes.upperBound)))
            ),
            read: { field, reader in reader.text(field, bytes: bytes) },
            write: DocumentTree.text
        )
    }
}

extension Format<Duration> {
    /// Returns the format of a duration in a range, in one unit, such as `250ms` or `5min`.
    ///
    /// - Parameter other: The text that names other allowed values in messages, such as ", or none".
    package static func duration(in range: ClosedRange<Duration>, orElse other: String = "") -> Format {
        Format(
            schema: Schema(
                .init("type", "string"),
                .init("pattern", .text(DurationText.pattern(upTo: range.upperBound)))
            ),
            read: { field, reader in
                let text = field.node.scalar?.text
                if let text, let duration = DurationText.read(text), range.contains(duration) { return duration }
                if let text, let duration = DurationText.read(text + "s"), range.contains(duration) {
                    reader.report(field, "\(field.node.kind) is not a duration; add a unit: \(text)s")
                    return nil
                }
                let least = DurationText.write(range.lowerBound) ?? "0s"
                let greatest = DurationText.write(range.upperBound) ?? "24h"
                reader.report(
                    field,
                    "\(field.node.kind) is not a valid duration; write one from \(least) to \(greatest), "
                        + "such as 250ms, 12s or 5min\(other)"
                )
                return nil
            },
            write: { DurationText.write($0).map(DocumentTree.word) ?? .null }
        )
    }
}

extension Format<Bool> {
    /// The word `true` or `false`.
    package static let boolean = Format(
        schema: Schema(.init("type", "boolean")),
        read: { field, reader in
            if case .bool(let value) = field.node.scalar?.meaning { return value }
            reader.report(field, "\(field.node.kind) is neither true nor false; write true or false")
            return nil
        },
        write: DocumentTree.bool
    )
}

extension Format {
    /// Returns the format of one of several words; if a value has several words, the first one is written.
    package static func word(_ words: [(String, Value)]) -> Format where Value: Hashable & Sendable {
        Format(
            schema: Schema(tree: JSONSchema.words(words.map(\.0))),
            read: { field, reader in reader.word(field, words) },
            write: { value in .text(words.first { $0.1 == value }?.0 ?? "") }
        )
    }

    /// Returns the format of a text that is parsed to a value.
    ///
    /// - Parameters:
    ///   - name: The name of such a text, for messages.
    ///   - remedy: The remedy for an invalid text, with an example.
    ///   - pattern: The regular expression for such texts, for the schema.
    ///   - isWord: Whether the text is written without quotes although it begins like a number.
    package static func parsed(
        _ name: String,
        _ remedy: String,
        pattern: String,
        isWord: Bool = false,
        read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) -> Format {
        Format(
            schema: Schema(.init("type", "string"), .init("pattern", .text(pattern))),
            read: { field, reader in reader.value(field, name, remedy, read) },
            write: { isWord ? .word(write($0)) : .text(write($0)) }
        )
    }

    /// Returns the format with another schema.
    package func schema(_ members: DocumentTree.Member...) -> Format {
        var format = self
        format.schema.tree = .inlineMap(members)
        return format
    }
}

extension Format where Value: FixedWidthInteger & Sendable {
    /// Returns the format of an integer in a range.
    package static func integer(in range: ClosedRange<Value>) -> Format {
        Format(
            schema: Schema(
                .init("type", "integer"),
                .init("minimum", .number(JSONNumber(range.lowerBound))),
                .init("maximum", .number(JSONNumber(range.upperBound)))
            ),
            read: { field, reader in
                let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
                guard case .number(let number) = field.node.scalar?.meaning else {
                    reader.report(field, "\(field.node.kind) is not a number; \(remedy)")
                    return nil
                }
                if let value = number.integer(as: Value.self), range.contains(value) { return value }
                reader.report(field, "\(number) is out of range; \(remedy)")
                return nil
            },
            write: { .number(JSONNumber($0)) }
        )
    }
}

// MARK: Lists and alternatives

extension Format {
    /// Returns the format of a list of values.
    ///
    /// - Parameters:
    ///   - maximumCount: The maximum number of values, for the schema.
    ///   - emptyMessage: The error for a list without values, or `nil` if such a list is allowed.
    package static func list<Element>(of format: Format<Element>, maximumCount: Int? = nil, emptyMessage: String? = nil)
        -> Format
    where Value == [Element] {
        Format(
            schema: .array(of: format.schema, minimum: emptyMessage == nil ? nil : 1, maximum: maximumCount),
            read: { field, reader in
                if let emptyMessage, field.node.elements?.isEmpty == true {
                    reader.report(field, emptyMessage)
                    return nil
                }
                return reader.readAll(reader.list(field)) { format.read($0, &$1) }
            },
            write: { .list($0.map(format.write)) }
        )
    }

    /// Returns the format of values that have a short form in addition to this long one.
    ///
    /// - Parameters:
    ///   - short: The short form.
    ///   - isShort: Returns whether a node is in the short form; by default, every scalar is.
    ///   - make: Converts the short form to a value.
    ///   - take: Converts a value to the short form, or returns `nil` if it needs the long form.
    package func orShorthand<Short>(
        _ short: Format<Short>,
        when isShort: @escaping @Sendable (DocumentNode) -> Bool = { $0.scalar != nil },
        make: @escaping @Sendable (Short) -> Value,
        take: @escaping @Sendable (Value) -> Short?
    ) -> Format {
        Format(
            schema: .any(of: [short.schema, schema]),
            read: { [read] field, reader in
                isShort(field.node) ? short.read(field, &reader).map(make) : read(field, &reader)
            },
            write: { [write] value in take(value).map(short.write) ?? write(value) }
        )
    }
}

extension DocumentReader {
    /// Reads several fields or members, or returns `nil` if one of them is invalid.
    ///
    /// It stops when no further errors are reported.
    package mutating func readAll<Part, Value>(
        _ fields: [Part],
        _ read: (Part, inout DocumentReader) -> Value?
    ) -> [Value]? {
        var found: [Value] = []
        for field in fields {
            if let value = read(field, &self) { found.append(value) }
            if diagnostics.isFull { return nil }
        }
        return found.count == fields.count ? found : nil
    }
}
