internal import HAPCore

/// A map whose allowed keys are known.
package struct DocumentMap: Sendable {
    /// The field that contains the map.
    package let field: DocumentField
    private let members: [DocumentMember]
    /// The known keys that the unknown keys are probably misspellings of.
    private let misspelledKeys: Set<String>

    /// Reads a map, and reports a node that is not a map, and unknown keys.
    ///
    /// - Parameters:
    ///   - field: The field that should be a map.
    ///   - known: The allowed keys.
    ///   - hint: Returns the message for a key that belongs elsewhere, or `nil` for any other key.
    ///   - diagnostics: Receives the errors.
    package init?(
        _ field: DocumentField,
        known: [String],
        hint: (String) -> String? = { _ in nil },
        _ diagnostics: inout DiagnosticCollector
    ) {
        guard let members = field.node.mapping else {
            diagnostics.report(field, "expected a map, but found \(field.node.kind); write \"key: value\" lines")
            return nil
        }
        self.field = field
        self.members = members
        var misspelled: Set<String> = []
        for member in members where !known.contains(member.key) && !diagnostics.isFull {
            let nearest = diagnostics.nearest(to: member.key, among: known)
            if let nearest {
                misspelled.insert(nearest)
            }
            diagnostics.report(
                in: field.file,
                at: member.position,
                path: .key(member.key, in: field.path),
                hint(member.key)
                    ?? "unknown key; \(nearest.map { "write \"\($0)\"" } ?? "write \(Self.keyList(known))")"
            )
        }
        self.misspelledKeys = misspelled
    }

    private static func keyList(_ known: [String]) -> String {
        let keys = known.filter { !$0.hasPrefix("$") }
        return keys.count == 1 ? "\"\(keys[0])\"" : "one of \(keys.joined(separator: ", "))"
    }

    /// Whether an unknown key is probably a misspelled known key.
    var hasMisspelledKeys: Bool { !misspelledKeys.isEmpty }

    /// Returns whether a key is missing and not misspelled.
    package func isMissing(_ key: String) -> Bool {
        self[key] == nil && !misspelledKeys.contains(key)
    }

    /// The value of a key, or `nil` if the key is missing.
    package subscript(key: String) -> DocumentField? {
        members.first { $0.key == key }.map(field.member)
    }
}
