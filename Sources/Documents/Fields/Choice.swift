internal import HAPCore

/// Alternatives in a document, each with keys of its own: a table of cases.
///
/// Adding an alternative is adding a case to the table.
package struct Choice<Value: Sendable>: Sendable {
    /// One alternative.
    package struct Case: Sendable {
        /// The keys that tell that it is this one: any of them.
        let leading: [String]
        let object: ObjectFormat<Value>

        /// Declares an alternative.
        ///
        /// - Parameters:
        ///   - leading: The keys that tell that it is this one; without them, the first key of the fields.
        ///   - fields: The fields, in the order in which they are written.
        ///   - make: Makes a value of those of the fields.
        ///   - take: The values of the fields of a value; `nil` for another alternative.
        package init<each Part>(
            leading: [String] = [],
            _ fields: repeat Field<each Part>,
            make: @escaping @Sendable (repeat each Part) throws(ObjectError) -> Value,
            take: @escaping @Sendable (Value) -> (repeat each Part)?
        ) {
            object = ObjectFormat(repeat each fields, make: make, take: take)
            self.leading = leading.isEmpty ? object.keys.prefix(1).map(\.name) : leading
        }

        /// Declares an alternative whose fields are those of another type.
        package init<Part>(
            leading: [String] = [],
            _ object: ObjectFormat<Part>,
            make: @escaping @Sendable (Part) -> Value,
            take: @escaping @Sendable (Value) -> Part?
        ) {
            self.object = object.map(make, take)
            self.leading = leading.isEmpty ? object.keys.prefix(1).map(\.name) : leading
        }
    }

    let cases: [Case]
    /// What is wrong with an object that is none of them, or several.
    let none: String
    /// The value when no key of any case is there; nothing is written for it.
    let standard: Value?
    private let isStandard: @Sendable (Value) -> Bool
    /// Makes one value of several cases that are in the same object; `nil` where an object is of one case.
    let combine: (@Sendable ([Value]) -> Value)?

    /// Declares alternatives of which an object is exactly one.
    ///
    /// - Parameter none: What is wrong with an object that is none of them, or several, and what to write; the keys follow.
    package init(_ cases: [Case], none: String) {
        self.cases = cases
        self.none = none
        standard = nil
        isStandard = { _ in false }
        combine = nil
    }

    /// Declares alternatives of which an object is one, or none.
    ///
    /// - Parameters:
    ///   - none: What is wrong with an object that is several, and what to write; the keys follow.
    ///   - standard: The value when no key of any case is there.
    package init(_ cases: [Case], none: String, standard: Value) where Value: Equatable & Sendable {
        self.cases = cases
        self.none = none
        self.standard = standard
        isStandard = { $0 == standard }
        combine = nil
    }

    /// Declares alternatives of which an object may be several.
    ///
    /// - Parameters:
    ///   - none: What is wrong with an object that is none of them.
    ///   - combine: Makes one value of several.
    package init(_ cases: [Case], none: String, combine: @escaping @Sendable ([Value]) -> Value) {
        self.cases = cases
        self.none = none
        standard = nil
        isStandard = { _ in false }
        self.combine = combine
    }

    /// The keys of all cases, each once.
    package var keys: [FieldKey] {
        var names: Set<String> = []
        return cases.flatMap(\.object.keys).filter { names.insert($0.name).inserted }
            .map { key in
                var key = key
                key.isRequired = false
                return key
            }
    }

    /// The format of objects that are nothing but the choice.
    ///
    /// - Parameter limit: What is wrong with a value as a whole.
    package func format(limit: @escaping @Sendable (Value) -> String? = { _ in nil }) -> Format<Value> {
        let names = keys.map { FreeKey($0.name) }
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

    func read(_ map: DocumentMap<FreeKey>, _ reader: inout DocumentReader) -> Value? {
        let found = cases.filter { $0.leading.contains { map[FreeKey($0)] != nil } }
        if let combine {
            let values = found.map { $0.object.read(map, &reader) }
            guard !found.isEmpty else {
                reader.report(map.field, none)
                return nil
            }
            let whole = values.compactMap(\.self)
            guard whole.count == values.count else { return nil }
            return whole.count == 1 ? whole[0] : combine(whole)
        }
        if found.isEmpty, let standard, !keys.contains(where: { map[FreeKey($0.name)] != nil }) { return standard }
        guard found.count == 1, let only = found.first else {
            let keys = cases.flatMap(\.leading)
            reader.report(map.field, "\(none) \(keys.joined(separator: ", "))")
            return nil
        }
        refuseForeign(map, beside: only, &reader)
        return only.object.read(map, &reader)
    }

    /// Notes keys that belong to another case.
    private func refuseForeign(_ map: DocumentMap<FreeKey>, beside only: Case, _ reader: inout DocumentReader) {
        let own = Set(only.object.keys.map(\.name))
        for key in keys where !own.contains(key.name) {
            if let field = map[FreeKey(key.name)] {
                reader.report(field, "this says nothing beside \"\(only.leading[0])\"; leave it away")
            }
        }
    }

    func write(_ value: Value) -> [DocumentTree.Member] {
        if isStandard(value) { return [] }
        for alternative in cases {
            if let members = alternative.object.write(value) { return members }
        }
        return []
    }

    /// The schema of objects that are nothing but the choice.
    var schema: Schema {
        guard combine != nil else { return .any(of: cases.map(\.object.schema)) }
        return Schema.object(keys, constraints).map { $0.adding(.init("minProperties", .number(1))) }
    }

    /// What a schema demands of an object in which the choice is.
    var constraints: [DocumentTree] {
        if combine != nil {
            return cases.compactMap { alternative in
                let required = alternative.object.keys.filter(\.isRequired).map(\.name)
                let demands = alternative.object.constraints + (required.isEmpty ? [] : [JSONSchema.required(required)])
                guard !demands.isEmpty else { return nil }
                return .inlineMap([
                    .init("if", JSONSchema.any(of: alternative.leading.map { JSONSchema.required([$0]) })),
                    .init("then", .inlineMap([.init("allOf", .list(demands))])),
                ])
            }
        }
        let alternatives = cases.map { JSONSchema.required($0.leading) }
        let none = DocumentTree.inlineMap([.init("not", JSONSchema.any(of: alternatives))])
        return [.inlineMap([.init("oneOf", .list(alternatives + (standard == nil ? [] : [none])))])]
    }
}

extension JSONSchema {
    static func required(_ keys: [String]) -> DocumentTree {
        .inlineMap([.init("required", .list(keys.map(DocumentTree.text)))])
    }
}
