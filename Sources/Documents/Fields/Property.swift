/// A property of a type in a document: its key, its key path, and how its value is written.
package struct Property<Owner>: Sendable {
    package let key: FieldKey
    /// Reads the value into an object; answers `false` when it is missing or wrong.
    let read: @Sendable (DocumentMap<FreeKey>, inout Owner, inout DocumentReader) -> Bool
    let write: @Sendable (Owner, _ blank: Owner) -> DocumentTree?

    /// Declares a property that every object has.
    ///
    /// - Parameters:
    ///   - documentation: What the value says, in a sentence.
    ///   - missing: What is wrong with an object that does not have it, and what to write.
    package static func required<Value>(
        _ key: String,
        _ path: any WritableKeyPath<Owner, Value> & Sendable,
        _ format: Format<Value>,
        _ documentation: String,
        missing: String? = nil
    ) -> Property {
        let field = Field<Value>.required(key, format, documentation, missing: missing)
        return Property(
            key: field.keys[0],
            read: { map, owner, reader in
                guard let value = field.read(map, &reader) else { return false }
                owner[keyPath: path] = value
                return true
            },
            write: { owner, _ in format.write(owner[keyPath: path]) }
        )
    }

    /// Declares a property that may be absent: then it is what it is in an object of which nothing is written.
    package static func defaulted<Value: Equatable>(
        _ key: String,
        _ path: any WritableKeyPath<Owner, Value> & Sendable,
        _ format: Format<Value>,
        _ documentation: String
    ) -> Property {
        Property(
            key: FieldKey(name: key, documentation: documentation, schema: format.schema, isRequired: false),
            read: { map, owner, reader in
                guard let field = map[FreeKey(key)] else { return true }
                guard let value = format.read(field, &reader) else { return false }
                owner[keyPath: path] = value
                return true
            },
            write: { owner, blank in
                let value = owner[keyPath: path]
                return value == blank[keyPath: path] ? nil : format.write(value)
            }
        )
    }

    /// Declares a property that may have no value.
    package static func optional<Value>(
        _ key: String,
        _ path: any WritableKeyPath<Owner, Value?> & Sendable,
        _ format: Format<Value>,
        _ documentation: String
    ) -> Property {
        Property(
            key: FieldKey(name: key, documentation: documentation, schema: format.schema, isRequired: false),
            read: { map, owner, reader in
                guard let field = map[FreeKey(key)] else { return true }
                owner[keyPath: path] = format.read(field, &reader)
                return owner[keyPath: path] != nil
            },
            write: { owner, _ in owner[keyPath: path].map(format.write) }
        )
    }
}

extension Property {
    /// Declares a key that is accepted and ignored.
    package static func ignored(_ key: String, _ documentation: String) -> Property {
        Property(
            key: FieldKey(
                name: key,
                documentation: documentation,
                schema: Schema(.init("type", "string")),
                isRequired: false
            ),
            read: { _, _, _ in true },
            write: { _, _ in nil }
        )
    }
}

extension ObjectFormat where Owner: Sendable {
    /// Declares the properties of a type.
    ///
    /// - Parameters:
    ///   - blank: An object of which nothing is written.
    ///   - properties: The properties, in the order in which they are written.
    ///   - check: Throws what is wrong with an object as a whole.
    package init(
        _ blank: Owner,
        _ properties: [Property<Owner>],
        check: @escaping @Sendable (Owner) throws(ObjectError) -> Void = { _ in }
    ) {
        self.init(
            keys: properties.map(\.key),
            constraints: [],
            read: { map, reader in
                // All properties are read, whatever is wrong with the first: everything is noted at once.
                var owner = blank
                var isWhole = true
                for property in properties where !property.read(map, &owner, &reader) { isWhole = false }
                guard isWhole else { return nil }
                do throws(ObjectError) {
                    try check(owner)
                    return owner
                } catch {
                    error.report(in: map, &reader)
                    return nil
                }
            },
            write: { owner in
                properties.compactMap { property in
                    property.write(owner, blank).map { DocumentTree.Member(property.key.name, $0) }
                }
            }
        )
    }
}
