internal import HAPCore

/// A table of the alternatives that a document may contain, each with its own keys.
///
/// To add an alternative, add a case to the table.
package struct Choice<Value: Sendable>: Sendable {
    /// One alternative.
    package struct Case: Sendable {
        /// The keys that identify the alternative; one of them is enough.
        let discriminators: [String]
        let object: ObjectFormat<Value>

        /// Declares an alternative.
        ///
        /// - Parameters:
        ///   - leading: The keys that identify the alternative; by default, the first key of the fields.
        ///   - fields: The fields, in the order in which they are written.
        ///   - make: Creates a value from the values of the fields.
        ///   - take: Returns the values of the fields, or `nil` for a value of another alternative.
        package init<each Part>(
            leading: [String] = [],
            _ fields: repeat Field<each Part>,
            make: @escaping @Sendable (repeat each Part) throws(ObjectError) -> Value,
            take: @escaping @Sendable (Value) -> (repeat each Part)?
        ) {
            self.init(leading: leading, ObjectFormat(repeat each fields, make: make, take: take))
        }

        /// Declares an alternative with the fields of another type.
        package init<Part>(
            leading: [String] = [],
            _ object: ObjectFormat<Part>,
            make: @escaping @Sendable (Part) -> Value,
            take: @escaping @Sendable (Value) -> Part?
        ) {
            self.init(leading: leading, object.map(make, take))
        }

        private init(leading: [String], _ object: ObjectFormat<Value>) {
            self.object = object
            self.discriminators = leading.isEmpty ? object.keys.prefix(1).map(\.name) : leading
        }
    }

    let cases: [Case]
    /// The error for an object that matches no case, or several cases.
    let mismatchMessage: String
    /// Returns the error for an object that matches several cases; if it is `nil`, `mismatchMessage` is used.
    let ambiguityError: (@Sendable (_ leading: [String]) -> ObjectError)?
    /// The value of an object that has no key of any case; this value is not written.
    let defaultValue: Value?
    private let isDefault: @Sendable (Value) -> Bool
    /// Combines the values of several cases in the same object; `nil` if an object may match only one case.
    let combine: (@Sendable ([Value]) -> Value)?

    /// Declares alternatives of which an object must match exactly one, or at least one if they can be combined.
    ///
    /// - Parameters:
    ///   - mismatchMessage: The error and the remedy for an object that matches no case, or several; unless the cases
    ///     can be combined, the keys are appended.
    ///   - ambiguityError: Returns the error for an object with the leading keys of several cases.
    ///   - combine: Combines the values of several cases; `nil` if an object may match only one case.
    package init(
        _ cases: [Case],
        mismatchMessage: String,
        ambiguityError: (@Sendable (_ leading: [String]) -> ObjectError)? = nil,
        combine: (@Sendable ([Value]) -> Value)? = nil
    ) {
        self.cases = cases
        self.mismatchMessage = mismatchMessage
        self.ambiguityError = ambiguityError
        defaultValue = nil
        isDefault = { _ in false }
        self.combine = combine
    }

    /// Declares alternatives of which an object may match at most one.
    ///
    /// - Parameters:
    ///   - mismatchMessage: The error and the remedy for an object that matches several cases; the keys are appended.
    ///   - ambiguityError: Returns the error for an object with the leading keys of several cases.
    ///   - defaultValue: The value of an object that has no key of any case.
    package init(
        _ cases: [Case],
        mismatchMessage: String,
        ambiguityError: (@Sendable (_ leading: [String]) -> ObjectError)? = nil,
        defaultValue: Value
    ) where Value: Equatable & Sendable {
        self.cases = cases
        self.mismatchMessage = mismatchMessage
        self.ambiguityError = ambiguityError
        self.defaultValue = defaultValue
        isDefault = { $0 == defaultValue }
        combine = nil
    }

    /// The keys that identify the cases, in the order of the cases.
    package var discriminators: [String] { cases.flatMap(\.discriminators) }

    /// The keys of all cases, without duplicates.
    package var keys: [FieldKey] {
        var names: Set<String> = []
        return cases.flatMap(\.object.keys).filter { names.insert($0.name).inserted }
            .map { key in
                var key = key
                key.isRequired = false
                return key
            }
    }

    /// Returns the format of objects that consist only of the choice.
    ///
    /// - Parameter limit: Returns the error for a whole value, or `nil` if it is valid.
    package func format(limit: @escaping @Sendable (Value) -> String? = { _ in nil }) -> Format<Value> {
        let names = keys.map(\.name)
        return Format(
            schema: schema,
            read: { field, reader in
                guard let map = DocumentMap(field, known: names, &reader.diagnostics),
                    let value = read(map, &reader)
                else { return nil }
                if let reason = limit(value) {
                    reader.report(field, reason)
                    return nil
                }
                return value
            },
            write: { .inlineMap(write($0)) }
        )
    }

    func read(_ map: DocumentMap, _ reader: inout DocumentReader) -> Value? {
        let found = cases.filter { $0.discriminators.contains { map[$0] != nil } }
        if let combine {
            let values = found.map { $0.object.read(map, &reader) }
            guard !found.isEmpty else {
                reader.report(map.field, mismatchMessage)
                return nil
            }
            let whole = values.compactMap(\.self)
            guard whole.count == values.count else { return nil }
            return whole.count == 1 ? whole[0] : combine(whole)
        }
        if found.isEmpty, let defaultValue { return reportKeysWithoutDiscriminator(map, &reader) ? nil : defaultValue }
        if found.count > 1, let ambiguityError {
            ambiguityError(found.compactMap { $0.discriminators.first { map[$0] != nil } }).report(in: map, &reader)
            return nil
        }
        guard found.count == 1, let only = found.first else {
            let keys = cases.flatMap(\.discriminators)
            reader.report(map.field, "\(mismatchMessage) \(keys.joined(separator: ", "))")
            return nil
        }
        reportKeysOfOtherCases(map, beside: only, &reader)
        return only.object.read(map, &reader)
    }

    /// Reports keys whose leading key is missing, and returns whether there are any.
    private func reportKeysWithoutDiscriminator(_ map: DocumentMap, _ reader: inout DocumentReader) -> Bool {
        let fields = keys.compactMap { key in map[key.name].map { (key.name, $0) } }
        for (name, field) in fields where !map.hasMisspelledKeys {
            reader.report(field, "this key requires \(discriminators(of: name)); add it")
        }
        return !fields.isEmpty
    }

    /// Returns the leading keys of the cases that a key belongs to.
    private func discriminators(of name: String) -> String {
        cases.filter { $0.object.keys.contains { $0.name == name } }.flatMap(\.discriminators)
            .map { "\"\($0)\"" }.joined(separator: " or ")
    }

    /// Reports keys that belong to another case.
    private func reportKeysOfOtherCases(_ map: DocumentMap, beside only: Case, _ reader: inout DocumentReader) {
        let own = Set(only.object.keys.map(\.name))
        for key in keys where !own.contains(key.name) {
            if let field = map[key.name] {
                let reason = "this key belongs to \(discriminators(of: key.name)), not to \"\(only.discriminators[0])\""
                reader.report(field, "\(reason); leave it out")
            }
        }
    }

    func write(_ value: Value) -> [DocumentTree.Member] {
        if isDefault(value) { return [] }
        for alternative in cases {
            if let members = alternative.object.write(value) { return members }
        }
        return []
    }

    /// The schema of objects that consist only of the choice.
    var schema: Schema {
        guard combine != nil else { return .any(of: cases.map(\.object.schema)) }
        return Schema.object(keys, constraints).map { $0.adding(.init("minProperties", .number(1))) }
    }

    /// The schema constraints for an object that contains the choice.
    var constraints: [DocumentTree] {
        if combine != nil {
            return cases.compactMap { alternative in
                let required = alternative.object.keys.filter(\.isRequired).map(\.name)
                let demands = alternative.object.constraints + (required.isEmpty ? [] : [JSONSchema.required(required)])
                guard !demands.isEmpty else { return nil }
                return .inlineMap([
                    .init("if", JSONSchema.any(of: alternative.discriminators.map { JSONSchema.required([$0]) })),
                    .init("then", .inlineMap([.init("allOf", .list(demands))])),
                ])
            }
        }
        let alternatives = cases.map { JSONSchema.required($0.discriminators) }
        let none = DocumentTree.inlineMap([.init("not", JSONSchema.any(of: alternatives))])
        let one = DocumentTree.inlineMap([
            .init("oneOf", .list(cases.map(\.requirement) + (defaultValue == nil ? [] : [none])))
        ])
        let companions = keys.filter { key in !cases.contains { $0.discriminators.contains(key.name) } }
            .map { key in
                let owners = cases.filter { $0.object.keys.contains { $0.name == key.name } }
                return JSONSchema.conditional(
                    JSONSchema.any(of: owners.map { JSONSchema.required($0.discriminators) }),
                    when: JSONSchema.required([key.name])
                )
            }
        let inner = cases.filter { !$0.object.constraints.isEmpty }
            .map { alternative in
                JSONSchema.conditional(
                    .inlineMap([.init("allOf", .list(alternative.object.constraints))]),
                    when: JSONSchema.required(alternative.discriminators)
                )
            }
        return [one] + companions + inner
    }
}

extension Choice {
    /// Declares the alternatives of another choice, with `nil` as the value of an object that matches none.
    package init<Wrapped: Equatable>(optional choice: Choice<Wrapped>) where Value == Wrapped? {
        let cases = choice.cases.map { alternative in
            Case(leading: alternative.discriminators, alternative.object, make: { $0 }, take: { $0 })
        }
        self.init(cases, mismatchMessage: choice.mismatchMessage, defaultValue: nil)
    }
}

extension Choice.Case {
    /// The constraint that an object has all required keys of this case.
    fileprivate var requirement: DocumentTree {
        JSONSchema.required(
            discriminators + object.keys.filter { $0.isRequired && !discriminators.contains($0.name) }.map(\.name)
        )
    }
}

extension JSONSchema {
    static func required(_ keys: [String]) -> DocumentTree {
        .inlineMap([.init("required", .list(keys.map(DocumentTree.text)))])
    }

    /// Returns a constraint that only applies to objects that meet a condition.
    package static func conditional(_ demand: DocumentTree, when condition: DocumentTree) -> DocumentTree {
        .inlineMap([.init("if", condition), .init("then", demand)])
    }

    /// Returns a schema of objects that have a given word as the value of a key.
    package static func object(with word: String, under key: String) -> DocumentTree {
        .inlineMap([
            .init("properties", .inlineMap([.init(key, .inlineMap([.init("const", .text(word))]))])),
            .init("required", .list([.text(key)])),
        ])
    }

    /// Returns a schema of objects that have all of these keys.
    package static func object(with keys: String...) -> DocumentTree { required(keys) }
}

extension ObjectFormat {
    /// A kind of object, identified by a word.
    package struct Kind: Sendable {
        let word: String
        let documentation: String
        let object: ObjectFormat

        /// Declares a kind.
        ///
        /// - Parameters:
        ///   - documentation: A sentence that describes the kind.
        ///   - object: The other fields of the object.
        package init(_ word: String, _ documentation: String, _ object: ObjectFormat) {
            self.word = word
            self.documentation = documentation
            self.object = object
        }
    }

    /// Declares objects in which a word determines the other fields.
    ///
    /// - Parameters:
    ///   - key: The key whose value is the word.
    ///   - documentation: A sentence that describes the key.
    ///   - kinds: The kinds of objects.
    ///   - word: Returns the word for an object.
    package static func selected(
        by key: String,
        _ documentation: String,
        _ kinds: [Kind],
        word: @escaping @Sendable (Owner) -> String
    ) -> ObjectFormat {
        let words = kinds.map { kind in
            DocumentTree.inlineMap([.init("const", .text(kind.word)), .init("description", .text(kind.documentation))])
        }
        let selector = FieldKey(
            name: key,
            documentation: documentation,
            schema: Schema(tree: JSONSchema.any(of: words)),
            isRequired: true
        )
        var names: Set<String> = [key]
        // The form of the values depends on the word, so it is described by the constraints.
        let others = kinds.flatMap(\.object.keys).filter { names.insert($0.name).inserted }
            .map { FieldKey(name: $0.name, documentation: $0.documentation, schema: Schema(), isRequired: false) }
        let definitions = Schema.mergedDefinitions(kinds.flatMap(\.object.keys).map(\.schema))
        let constraints = kinds.map { kind in
            let own = kind.object.keys.map { DocumentTree.Member($0.name, $0.schema.tree) }
            let foreign = others.filter { other in !own.contains { $0.key == other.name } }
                .map { DocumentTree.Member($0.name, .bool(false)) }
            return JSONSchema.conditional(
                .inlineMap([.init("properties", .inlineMap(own + foreign))]),
                when: JSONSchema.object(with: kind.word, under: key)
            )
        }
        var keys = [selector] + others
        keys[0].schema.definitions = definitions
        return ObjectFormat(
            keys: keys,
            constraints: constraints,
            read: { map, reader in
                guard let field = map[key],
                    let kind = reader.word(field, kinds.map { ($0.word, $0) })
                else { return nil }
                let own = Set(kind.object.keys.map(\.name))
                for other in others where !own.contains(other.name) {
                    guard let stray = map[other.name] else { continue }
                    reader.report(stray, "this key is not allowed with \"\(kind.word)\"; leave it out")
                }
                return kind.object.read(map, &reader)
            },
            write: { owner in
                let word = word(owner)
                return kinds.first { $0.word == word }
                    .flatMap { $0.object.write(owner) }.map { [.init(key, .text(word))] + $0 }
            }
        )
    }
}
