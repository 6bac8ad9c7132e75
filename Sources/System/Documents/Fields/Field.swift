/// A key of an object, for the schema and for the tables of keys in the documentation.
package struct FieldKey: Sendable {
    /// The key.
    package var name: String
    /// A sentence that describes the value.
    package var documentation: String
    /// The schema of the value.
    package var schema: Schema
    /// Whether every object must have the key.
    package var isRequired: Bool
}

/// A property of an object in a document, with its key or keys and the format of its value.
///
/// An ``ObjectFormat`` is a table of fields. To add a property, add a field to the table.
package struct Field<Value>: Sendable {
    /// The keys of the property; usually one, but a value may be spread over several keys.
    let keys: [FieldKey]
    /// Additional schema constraints for the object.
    let constraints: [DocumentTree]
    let read: @Sendable (DocumentMap, inout DocumentReader) -> Value?
    let write: @Sendable (Value) -> [DocumentTree.Member]

    /// Declares a property that every object must have.
    ///
    /// - Parameters:
    ///   - documentation: A sentence that describes the value.
    ///   - missing: The error and the remedy for an object without the property.
    ///   - sibling: The key at whose value the error is reported; by default, it is reported at the object.
    package static func required(
        _ key: String,
        _ format: Format<Value>,
        _ documentation: String,
        missing: String? = nil,
        at sibling: String? = nil
    ) -> Field {
        Field(
            keys: [.init(name: key, documentation: documentation, schema: format.schema, isRequired: true)],
            constraints: [],
            read: { map, reader in
                if let field = map[key] { return format.read(field, &reader) }
                if map.isMissing(key) {
                    let field = sibling.flatMap { map[$0] } ?? map.field
                    reader.report(field, missing ?? "the key \"\(key)\" is missing; add it")
                }
                return nil
            },
            write: { [.init(key, format.write($0))] }
        )
    }

    /// Declares a property with a default value.
    package static func optional(
        _ key: String,
        _ format: Format<Value>,
        _ documentation: String,
        default standard: Value
    ) -> Field where Value: Sendable & Equatable {
        Field(
            keys: [.init(name: key, documentation: documentation, schema: format.schema, isRequired: false)],
            constraints: [],
            read: { map, reader in map[key].map { format.read($0, &reader) } ?? standard },
            write: { $0 == standard ? [] : [.init(key, format.write($0))] }
        )
    }

    /// Declares a property that may be missing.
    package static func optional<Wrapped>(
        _ key: String,
        _ format: Format<Wrapped>,
        _ documentation: String
    ) -> Field where Value == Wrapped? {
        Field(
            keys: [.init(name: key, documentation: documentation, schema: format.schema, isRequired: false)],
            constraints: [],
            read: { map, reader in
                guard let field = map[key] else { return .some(nil) }
                return format.read(field, &reader).map { .some($0) }
            },
            write: { value in value.map { [.init(key, format.write($0))] } ?? [] }
        )
    }

    /// Declares a key that similar objects have but this one must not have.
    ///
    /// - Parameters:
    ///   - reason: The error for an object that has the key.
    ///   - value: The value that every object has instead.
    package static func refused(_ key: String, _ reason: String, _ value: Value) -> Field where Value: Sendable {
        Field(
            keys: [.init(name: key, documentation: "", schema: Schema(tree: .bool(false)), isRequired: false)],
            constraints: [],
            read: { map, reader in
                guard let field = map[key] else { return value }
                reader.report(field, reason)
                return nil
            },
            write: { _ in [] }
        )
    }

    /// Declares a value that is one of several alternatives, each with its own keys in the same object.
    package static func choice(_ choice: Choice<Value>) -> Field where Value: Sendable {
        Field(
            keys: choice.keys,
            constraints: choice.constraints,
            read: { map, reader in choice.read(map, &reader) },
            write: { choice.write($0) }
        )
    }
}

extension Field<Void> {
    /// Declares a key that is accepted and ignored.
    package static func ignored(_ key: String, _ documentation: String) -> Field {
        Field(
            keys: [
                .init(
                    name: key,
                    documentation: documentation,
                    schema: Schema(.init("type", "string")),
                    isRequired: false
                )
            ],
            constraints: [],
            read: { _, _ in () },
            write: { _ in [] }
        )
    }
}

/// The errors of an object as a whole.
package struct ObjectError: Error {
    /// The errors, each with its remedy.
    package var reasons: [String]
    /// The key at whose value the errors are reported, or `nil` to report them at the object.
    package var key: String?

    package init(_ reasons: String...) {
        self.reasons = reasons
    }

    package init(at key: String, _ reason: String) {
        reasons = [reason]
        self.key = key
    }

    /// Reports the errors, unless a key is misspelled and may have caused them.
    func report(in map: DocumentMap, _ reader: inout DocumentReader) {
        guard !map.hasMisspelledKeys else { return }
        let field = key.flatMap { map[$0] } ?? map.field
        for reason in reasons { reader.report(field, reason) }
    }
}

/// The format of objects of one type, as a table of fields.
package struct ObjectFormat<Owner>: Sendable {
    /// The keys, in the order in which they are written.
    package let keys: [FieldKey]
    let constraints: [DocumentTree]
    /// Reads an object, or reports its errors and returns `nil`.
    let read: @Sendable (DocumentMap, inout DocumentReader) -> Owner?
    /// Writes an object, or returns `nil` if it has another form.
    let write: @Sendable (Owner) -> [DocumentTree.Member]?

    /// Declares the fields of a type.
    ///
    /// - Parameters:
    ///   - fields: The fields, in the order in which they are written.
    ///   - incomplete: The error for an object without one of the required fields, instead of the errors of the fields.
    ///   - check: Returns the errors for an object that has only these keys.
    ///   - make: Creates an object from the values of the fields.
    ///   - take: Returns the values of the fields, or `nil` for an object in another form.
    package init<each Value>(
        _ fields: repeat Field<each Value>,
        incomplete: String? = nil,
        check: (@Sendable (_ keys: Set<String>) -> [String])? = nil,
        make: @escaping @Sendable (repeat each Value) throws(ObjectError) -> Owner,
        take: @escaping @Sendable (Owner) -> (repeat each Value)?
    ) {
        let fields = (repeat each fields)
        var keys: [FieldKey] = []
        var constraints: [DocumentTree] = []
        for field in repeat each fields {
            keys += field.keys
            constraints += field.constraints
        }
        self.keys = keys
        self.constraints = constraints
        read = { [keys] map, reader in
            if let incomplete, keys.contains(where: { $0.isRequired && map.isMissing($0.name) }) {
                reader.report(map.field, incomplete)
                return nil
            }
            let faults = check?(Set(keys.lazy.map(\.name).filter { map[$0] != nil })) ?? []
            for fault in faults { reader.report(map.field, fault) }
            // All fields are read even if an earlier one is invalid, so that all errors are reported at once.
            let values = (repeat (each fields).read(map, &reader))
            var isWhole = true
            for value in repeat each values { isWhole = isWhole && value.isPresent }
            guard isWhole, faults.isEmpty, let all = try? (repeat (each values).unwrapped()) else { return nil }
            do throws(ObjectError) {
                return try make(repeat each all)
            } catch {
                error.report(in: map, &reader)
                return nil
            }
        }
        write = { owner in
            guard let values = take(owner) else { return nil }
            var members: [DocumentTree.Member] = []
            func add<Part>(_ field: Field<Part>, _ value: Part) { members += field.write(value) }
            repeat add(each fields, each values)
            return members
        }
    }

    /// Returns the format of these objects.
    ///
    /// - Parameters:
    ///   - hint: Returns the message for a key that belongs elsewhere, or `nil` for any other key.
    ///   - isInline: Whether the objects are written on one line.
    package func format(
        hint: @escaping @Sendable (String) -> String? = { _ in nil },
        isInline: Bool = false
    ) -> Format<Owner> {
        let names = keys.map(\.name)
        return Format(
            schema: schema,
            read: { [read] field, reader in
                DocumentMap(field, known: names, hint: hint, &reader.diagnostics).flatMap { read($0, &reader) }
            },
            write: { [write] owner in isInline ? .inlineMap(write(owner) ?? []) : .map(write(owner) ?? []) }
        )
    }

    /// Returns the format with additional constraints in the schema.
    package func requiring(_ constraints: DocumentTree...) -> ObjectFormat {
        ObjectFormat(keys: keys, constraints: self.constraints + constraints, read: read, write: write)
    }

    init(
        keys: [FieldKey],
        constraints: [DocumentTree],
        read: @escaping @Sendable (DocumentMap, inout DocumentReader) -> Owner?,
        write: @escaping @Sendable (Owner) -> [DocumentTree.Member]?
    ) {
        self.keys = keys
        self.constraints = constraints
        self.read = read
        self.write = write
    }

    /// Returns the format of objects that are converted from the objects of this format.
    func map<Other>(
        _ make: @escaping @Sendable (Owner) -> Other,
        _ take: @escaping @Sendable (Other) -> Owner?
    ) -> ObjectFormat<Other> {
        ObjectFormat<Other>(
            keys: keys,
            constraints: constraints,
            read: { [read] map, reader in read(map, &reader).map(make) },
            write: { [write] other in take(other).flatMap(write) }
        )
    }

    var schema: Schema {
        .object(keys, constraints)
    }
}

extension Optional {
    fileprivate var isPresent: Bool { self != nil }

    fileprivate func unwrapped() throws -> Wrapped {
        guard let value = self else { throw ObjectError() }
        return value
    }
}
