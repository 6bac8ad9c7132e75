internal import AccessoryModel
internal import HAPCore

extension DefinitionSession {
    /// The greatest id, unless the definition is that of a real device.
    static let maximumID = IdentifierMap.maximumID

    private var ids: ClosedRange<UInt64> {
        1...(isVerbatim ? .max : Self.maximumID)
    }

    /// A text; a number without quotes is taken as it is written.
    mutating func text(_ field: DefinitionField?, bytes: ClosedRange<Int>? = nil) -> String? {
        guard let field else { return nil }
        guard let scalar = field.node.scalar else {
            findings.report(field, "\(field.node.kind) stands where a text is expected; write one")
            return nil
        }
        switch scalar.meaning {
        case .null:
            findings.report(field, "there is no text; write one, or leave the key away")
            return nil
        case .bool:
            findings.report(field, "\(scalar.text) is no text; put it in quotes")
            return nil
        case .number, .text: break
        }
        let count = scalar.text.utf8.count
        if let bytes, !isVerbatim, !bytes.contains(count) {
            findings.report(
                field,
                "the text has \(count) bytes; write \(bytes.lowerBound) to \(bytes.upperBound)"
            )
            return nil
        }
        return scalar.text
    }

    /// `true` or `false`; without it, `false`.
    mutating func flag(_ field: DefinitionField?, without standard: Bool = false) -> Bool {
        guard let field else { return standard }
        guard case .bool(let value) = field.node.scalar?.meaning else {
            findings.report(field, "\(field.node.kind) is neither true nor false; write one of them")
            return standard
        }
        return value
    }

    /// A whole number in a range.
    mutating func integer(_ field: DefinitionField?, in range: ClosedRange<UInt64>) -> UInt64? {
        guard let field else { return nil }
        let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard case .number(let number) = field.node.scalar?.meaning else {
            findings.report(field, "\(field.node.kind) is no number; \(remedy)")
            return nil
        }
        guard let value = number.integer(as: UInt64.self), range.contains(value) else {
            findings.report(field, "\(number) is out of range; \(remedy)")
            return nil
        }
        return value
    }

    /// An instance id.
    mutating func instanceID(_ field: DefinitionField?) -> InstanceID? {
        integer(field, in: ids).flatMap { InstanceID($0) }
    }

    /// An accessory id.
    mutating func accessoryID(_ field: DefinitionField?) -> AccessoryID? {
        integer(field, in: ids).flatMap { AccessoryID($0) }
    }

    /// A text that some type reads.
    mutating func value<Value>(
        _ field: DefinitionField?,
        _ name: String,
        _ remedy: String,
        _ read: (String) -> Value?
    ) -> Value? {
        guard let field else { return nil }
        guard let scalar = field.node.scalar, scalar.meaning != .null else {
            findings.report(field, "\(field.node.kind) is no \(name); \(remedy)")
            return nil
        }
        guard let value = read(scalar.text) else {
            findings.report(field, "this is no \(name); \(remedy)")
            return nil
        }
        return value
    }

    /// The elements of a list; without it, none.
    mutating func list(_ field: DefinitionField?) -> [DefinitionField] {
        guard let field else { return [] }
        guard case .sequence(let elements) = field.node.content else {
            findings.report(field, "\(field.node.kind) stands where a list is expected; write \"- \" before each entry")
            return []
        }
        return elements.enumerated().map { field.element($0.element, at: $0.offset) }
    }

    /// One of several words; notes what is none of them, with the nearest one.
    mutating func word<Word>(_ field: DefinitionField, _ words: [(String, Word)]) -> Word? {
        if let text = field.node.scalar?.text, let word = words.first(where: { $0.0 == text }) {
            return word.1
        }
        let names = words.map(\.0)
        let nearest = field.node.scalar.flatMap { findings.spelling.nearest(to: $0.text, among: names) }
        findings.report(
            field,
            "\(field.node.kind) is not known; write "
                + (nearest ?? "one of \(names.filter { !$0.isEmpty }.joined(separator: ", "))")
        )
        return nil
    }
}
