internal import HAPCore

/// A map with known keys.
package struct DocumentMap: Sendable {
    /// The map itself.
    package let field: DocumentField
    private let members: [DocumentMember]
    /// Known keys that were probably meant by unknown ones.
    private let misspelledKeys: Set<String>

    /// Reads a map; reports a node that is not a map, and unknown keys.
    ///
    /// - Parameters:
    ///   - field: The field that should be a map.
    ///   - known: The allowed keys.
    ///   - hint: Returns the remedy for a key that belongs elsewhere.
    ///   - diagnostics: Receives the errors.
    package init?(
        _ field: DocumentField,
        known: [String],
        hint: (String) -> String? = { _ in nil },
        _ diagnostics: inout DiagnosticCollector
    ) {
        guard let members = field.node.mapping else {
            diagnostics.report(field, "\(field.node.kind) stands where a map is expected; write \"key: value\" lines")
            return nil
        }
        self.field = field
        self.members = members
        var misspelled: Set<String> = []
        for member in members where !known.contains(member.key) {
            let nearest = diagnostics.spelling.nearest(to: member.key, among: known)
            if let nearest {
                misspelled.insert(nearest)
            }
            diagnostics.report(
                in: field.file,
                at: member.position,
                path: .key(member.key, in: field.path),
                hint(member.key)
                    ?? "this key is not known; \(nearest.map { "write \"\($0)\"" } ?? "known are \(Self.keyList(known))")"
            )
        }
        self.misspelledKeys = misspelled
    }

    private static func keyList(_ known: [String]) -> String {
        known.filter { !$0.hasPrefix("$") }.joined(separator: ", ")
    }

    /// Whether an unknown key is probably a misspelled known one.
    var hasMisspelledKeys: Bool { !misspelledKeys.isEmpty }

    /// Returns whether a key is absent, and not misspelled.
    package func isMissing(_ key: String) -> Bool {
        self[key] == nil && !misspelledKeys.contains(key)
    }

    /// The value of a key, `nil` without it.
    package subscript(key: String) -> DocumentField? {
        members.first { $0.key == key }.map(field.member)
    }
}
