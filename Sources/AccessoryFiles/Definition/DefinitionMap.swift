/// A map with known keys.
struct DefinitionMap<Key: RawRepresentable<String>>: Sendable {
    /// The map itself.
    let field: DefinitionField
    private let members: [DefinitionMember]

    /// Takes a map; notes what is none, and keys that are not known.
    ///
    /// - Parameters:
    ///   - field: What should be a map.
    ///   - keys: The keys that may stand in it.
    ///   - hint: The remedy for a key that is known elsewhere.
    ///   - findings: Where it is noted.
    init?(
        _ field: DefinitionField,
        known keys: [Key],
        hint: (String) -> String? = { _ in nil },
        _ findings: inout DefinitionFindings
    ) {
        guard let members = field.node.mapping else {
            findings.report(field, "\(field.node.kind) stands where a map is expected; write \"key: value\" lines")
            return nil
        }
        self.field = field
        self.members = members
        let known = keys.map(\.rawValue)
        for member in members where !known.contains(member.key) {
            let remedy =
                if let hint = hint(member.key) {
                    hint
                } else if findings.count < 200, let nearest = Spelling.nearest(to: member.key, among: known) {
                    "this key is not known; write \"\(nearest)\""
                } else {
                    "this key is not known; known are \(known.filter { !$0.hasPrefix("$") }.joined(separator: ", "))"
                }
            findings.report(
                in: field.file,
                at: member.position,
                path: .key(member.key, in: field.path),
                remedy
            )
        }
    }

    /// The value of a key, `nil` without it.
    subscript(key: Key) -> DefinitionField? {
        members.first { $0.key == key.rawValue }.map(field.member)
    }
}

/// A key that is not known before a file is read.
struct FreeKey: RawRepresentable {
    let rawValue: String
}
