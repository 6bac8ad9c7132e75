/// A property of a type in a document, with its key, its key path and the format of its value.
package struct Property<Owner>: Sendable {
    package private(set) var key: FieldKey
    /// Reads the value into an object, or returns `false` if it is missing or invalid.
    package private(set) var read: @Sendable (DocumentMap, inout Owner, inout DocumentReader) -> Bool
    /// Writes the value if it differs from that of a blank object, or returns `nil` if it does not need to be written.
    package let write: @Sendable (Owner, _ blank: Owner) -> DocumentTree?

    /// Declares a property that every object must have.
    ///
    /// - Parameters:
    ///   - documentation: A sentence that describes the value.
    ///   - missing: The error and the remedy for an object without the property.
    package static func required<Value>(
        _ key: String,
        _ path: any WritableKeyPath<Owner, Value> & Sendable,
        _ format: Format<Value>,
        _ documentation: String,
        missing: String? = nil
    ) -> Property {
        let field = Field<Value>.required(key, format, documentation, missing: missing)
        return Property(field.keys[0], path, read: field.read) { owner, _ in format.write(owner[keyPath: path]) }
    }

    /// Declares a property that may be missing; its value is then that of a blank object.
    package static func defaulted<Value: Equatable & SendableMetatype>(
        _ key: String,
        _ path: any WritableKeyPath<Owner, Value> & Sendable,
        _ format: Format<Value>,
        _ documentation: String
    ) -> Property {
        Property(
            FieldKey(name: key, documentation: documentation, schema: format.schema, isRequired: false),
            path,
            read: { map, reader in map[key].flatMap { format.read($0, &reader) } },
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
        let field = Field<Value?>.optional(key, format, documentation)
        return Property(field.keys[0], path, read: field.read) { owner, _ in
            owner[keyPath: path].map(format.write)
        }
    }
}

extension Property {
    /// Declares a property with one key; if the key is missing and not required, the value is that of a blank object.
    private init<Value>(
        _ key: FieldKey,
        _ path: any WritableKeyPath<Owner, Value> & Sendable,
        read: @escaping @Sendable (DocumentMap, inout DocumentReader) -> Value?,
        write: @escaping @Sendable (Owner, _ blank: Owner) -> DocumentTree?
    ) {
        self.init(
            key: key,
            read: { map, owner, reader in
                if !key.isRequired, map[key.name] == nil { return true }
                guard let value = read(map, &reader) else { return false }
                owner[keyPath: path] = value
                return true
            },
            write: write
        )
    }

    /// Declares a property with its own reader, which is called only if the key is present.
    package static func custom(
        _ key: String,
        _ documentation: String,
        schema: Schema,
        read: @escaping @Sendable (DocumentField, inout Owner, inout DocumentReader) -> Void = { _, _, _ in },
        write: @escaping @Sendable (Owner, _ blank: Owner) -> DocumentTree? = { _, _ in nil }
    ) -> Property {
        Property(
            key: FieldKey(name: key, documentation: documentation, schema: schema, isRequired: false),
            read: { map, owner, reader in
                if let field = map[key] { read(field, &owner, &reader) }
                return true
            },
            write: write
        )
    }

    /// Declares a list; invalid entries are skipped.
    ///
    /// - Parameters:
    ///   - count: The allowed number of entries, for the schema.
    ///   - isWritten: Whether an empty list is written.
    ///   - check: Reports a wrong number of entries.
    package static func list<Element>(
        _ key: String,
        _ path: any WritableKeyPath<Owner, [Element]> & Sendable,
        of format: Format<Element>,
        _ documentation: String,
        count: ClosedRange<Int>? = nil,
        evenEmpty isWritten: Bool = false,
        check: (@Sendable (DocumentField, _ count: Int, inout DocumentReader) -> Void)? = nil
    ) -> Property {
        custom(
            key,
            documentation,
            schema: .array(of: format.schema, minimum: count?.lowerBound, maximum: count?.upperBound),
            read: { field, owner, reader in
                let entries = reader.list(field)
                if field.node.elements != nil { check?(field, entries.count, &reader) }
                owner[keyPath: path] = entries.compactMap { entry in
                    reader.diagnostics.isFull ? nil : format.read(entry, &reader)
                }
            },
            write: { owner, _ in
                let elements = owner[keyPath: path]
                return elements.isEmpty && !isWritten ? nil : .list(elements.map(format.write))
            }
        )
    }

    /// Returns the property with a check that runs first; if it has reported an error, the value is not read.
    package func refusing(_ hasError: @escaping @Sendable (DocumentField, inout DocumentReader) -> Bool) -> Property {
        var property = self
        property.read = { [read, name = key.name] map, owner, reader in
            if let field = map[name], hasError(field, &reader) { return false }
            return read(map, &owner, &reader)
        }
        return property
    }

    /// Returns the property if a condition is true, or else `nil`.
    package func when(_ condition: Bool) -> Property? {
        condition ? self : nil
    }

    /// Returns the property, marked as required in the schema if `isDemanded` is `true`; the caller reports a missing
    /// value.
    package func markedRequired(_ isDemanded: Bool = true) -> Property {
        var property = self
        property.key.isRequired = isDemanded
        property.read = { [read] map, owner, reader in
            _ = read(map, &owner, &reader)
            return true
        }
        return property
    }

    /// Declares a key that similar objects have but this one must not have.
    ///
    /// - Parameter reason: The error for an object that has the key, or `nil` if the caller reports it.
    package static func refused(_ key: String, _ reason: String? = nil) -> Property {
        custom(key, "", schema: Schema(tree: .bool(false))) { field, _, reader in
            if let reason { reader.report(field, reason) }
        }
    }

    /// Declares a key that is accepted and ignored.
    package static func ignored(_ key: String, _ documentation: String) -> Property {
        custom(key, documentation, schema: Schema(.init("type", "string")))
    }
}

extension ObjectFormat where Owner: Sendable {
    /// Declares the properties of a type.
    ///
    /// - Parameters:
    ///   - blank: An object for which nothing is written.
    ///   - properties: The properties, in the order in which they are written.
    ///   - check: Throws the errors of an object as a whole.
    package init(
        _ blank: Owner,
        _ properties: [Property<Owner>],
        check: @escaping @Sendable (Owner) throws(ObjectError) -> Void = { _ in }
    ) {
        self.init(
            keys: properties.map(\.key),
            constraints: [],
            read: { map, reader in
                // All properties are read even if an earlier one is invalid, so that all errors are reported at once.
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
            write: { properties.members(of: $0, comparedTo: blank) }
        )
    }

    /// Declares the properties of a type whose objects are read even if they have errors, so that more can be checked.
    ///
    /// If a required property is missing or invalid, there is no object. Other missing values are those of a blank
    /// object.
    ///
    /// - Parameters:
    ///   - blank: An object for which nothing is written.
    ///   - properties: The properties, in the order in which they are written.
    ///   - finish: Completes an object and reports its errors as a whole.
    package init(
        tolerant blank: Owner,
        _ properties: [Property<Owner>],
        finish: @escaping @Sendable (DocumentMap, inout Owner, inout DocumentReader) -> Void
    ) {
        self.init(
            keys: properties.map(\.key),
            constraints: [],
            read: { map, reader in
                var owner = blank
                var isUsable = true
                for property in properties where !property.read(map, &owner, &reader) {
                    isUsable = isUsable && !property.key.isRequired
                }
                finish(map, &owner, &reader)
                return isUsable ? owner : nil
            },
            write: { properties.members(of: $0, comparedTo: blank) }
        )
    }
}

extension Array {
    /// Returns the written members for an object.
    package func members<Owner>(of owner: Owner, comparedTo blank: Owner) -> [DocumentTree.Member]
    where Element == Property<Owner> {
        compactMap { property in
            property.write(owner, blank).map { DocumentTree.Member(property.key.name, $0) }
        }
    }
}
