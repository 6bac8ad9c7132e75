internal import HAPCore

/// A property of a type in a document: its key, its key path, and how its value is written.
package struct Property<Owner>: Sendable {
    package private(set) var key: FieldKey
    /// Reads the value into an object; answers `false` when it is missing or wrong.
    package private(set) var read: @Sendable (DocumentMap, inout Owner, inout DocumentReader) -> Bool
    /// Writes what an object has otherwise than a blank one; `nil` when nothing has to be written.
    package let write: @Sendable (Owner, _ blank: Owner) -> DocumentTree?

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
                guard let field = map[key] else { return true }
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
                guard let field = map[key] else { return true }
                owner[keyPath: path] = format.read(field, &reader)
                return owner[keyPath: path] != nil
            },
            write: { owner, _ in owner[keyPath: path].map(format.write) }
        )
    }
}

extension Property {
    /// Declares a property of which a field is read in its own way, if it is there.
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

    /// Declares a list; entries that are wrong are not in what is read.
    ///
    /// - Parameters:
    ///   - count: How many entries a schema asks for.
    ///   - isWritten: Whether it is written when it is empty.
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
        let limits: [(String, Int?)] = [("minItems", count?.lowerBound), ("maxItems", count?.upperBound)]
        let bounds = limits.compactMap { limit in
            limit.1.map { DocumentTree.Member(limit.0, .number(JSONNumber($0))) }
        }
        return custom(
            key,
            documentation,
            schema: format.schema.map { .inlineMap([.init("type", "array")] + bounds + [.init("items", $0)]) },
            read: { field, owner, reader in
                let entries = reader.list(field)
                if case .sequence = field.node.content { check?(field, entries.count, &reader) }
                owner[keyPath: path] = entries.compactMap { format.read($0, &reader) }
            },
            write: { owner, _ in
                let elements = owner[keyPath: path]
                return elements.isEmpty && !isWritten ? nil : .list(elements.map(format.write))
            }
        )
    }

    /// The same property, whose value is not read if a check has reported an error in it.
    package func refusing(_ hasError: @escaping @Sendable (DocumentField, inout DocumentReader) -> Bool) -> Property {
        var property = self
        property.read = { [read, name = key.name] map, owner, reader in
            if let field = map[name], hasError(field, &reader) { return false }
            return read(map, &owner, &reader)
        }
        return property
    }

    /// The property where a condition holds, else none.
    package func when(_ condition: Bool) -> Property? {
        condition ? self : nil
    }

    /// The property, which a schema asks for; what is wrong without it is reported elsewhere.
    package func markedRequired(_ isDemanded: Bool = true) -> Property {
        var property = self
        property.key.isRequired = isDemanded
        property.read = { [read] map, owner, reader in
            _ = read(map, &owner, &reader)
            return true
        }
        return property
    }

    /// Declares a key that similar objects have, and this one does not.
    ///
    /// - Parameter reason: What is wrong with an object that has it; without it, that is reported elsewhere.
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
            write: { properties.members(of: $0, comparedTo: blank) }
        )
    }

    /// Declares the properties of a type whose objects are read even when something about them is wrong, so that more can be
    /// checked: without one that is required, there is no object; everything else is as in a blank one.
    ///
    /// - Parameters:
    ///   - blank: An object of which nothing is written.
    ///   - properties: The properties, in the order in which they are written.
    ///   - finish: Completes an object that was read, and reports what is wrong with it as a whole.
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
    /// What is written of an object.
    package func members<Owner>(of owner: Owner, comparedTo blank: Owner) -> [DocumentTree.Member]
    where Element == Property<Owner> {
        compactMap { property in
            property.write(owner, blank).map { DocumentTree.Member(property.key.name, $0) }
        }
    }
}
