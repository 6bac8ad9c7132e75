internal import HAPCore

/// A map with known keys.
package struct DocumentMap: Sendable {
    /// The map itself.
    package let field: DocumentField
    private let members: [DocumentMember]
    /// Known keys that were probably meant by others.
    private let misspelledKeys: Set<String>

    /// Takes a map; notes what is none, and keys that are not known.
    ///
    /// - Parameters:
    ///   - field: What should be a map.
    ///   - known: The keys that it may have.
    ///   - hint: The remedy for a key that is known elsewhere.
    ///   - diagnostics: Where it is noted.
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

    /// Whether a known key was probably meant by one that is not known.
    var hasMisspelledKeys: Bool { !misspelledKeys.isEmpty }

    /// Whether a key is not there, and was not meant by another one that is.
    package func isMissing(_ key: String) -> Bool {
        self[key] == nil && !misspelledKeys.contains(key)
    }

    /// The value of a key, `nil` without it.
    package subscript(key: String) -> DocumentField? {
        members.first { $0.key == key }.map(field.member)
    }
}
