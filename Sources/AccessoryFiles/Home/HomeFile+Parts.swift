package import HomeModel

/// Parts of automations as they stand in a home file, for what is told one at a time.
///
/// Each is a map in YAML or JSON on its own; the braces around it may be left away.
extension HomeFile {
    /// Reads what an automation waits for, as it stands under `when`.
    ///
    /// - Parameters:
    ///   - text: The map, such as `time: 07:00, on: workdays`.
    ///   - name: Where the text was written, for findings.
    /// - Throws: ``AccessoryFileError`` with everything that is wrong.
    package static func trigger(_ text: String, in name: String) throws(AccessoryFileError) -> DocumentedTrigger {
        try part(text, in: name) { session, field in session.trigger(field) }
    }

    /// Reads what must be so for an automation, as it stands under `if`.
    ///
    /// - Parameters:
    ///   - text: The map, such as `after: sunset`.
    ///   - name: Where the text was written, for findings.
    /// - Throws: ``AccessoryFileError`` with everything that is wrong.
    package static func condition(_ text: String, in name: String) throws(AccessoryFileError) -> DocumentedCondition {
        try part(text, in: name) { session, field in
            var remaining = Condition.maximumCount
            return session.condition(field, depth: 1, &remaining)
        }
    }

    /// Reads when what an automation has begun ends, as it stands under `end`.
    ///
    /// - Parameters:
    ///   - text: The map, such as `after: 5min, restore: true`.
    ///   - name: Where the text was written, for findings.
    /// - Throws: ``AccessoryFileError`` with everything that is wrong.
    package static func end(_ text: String, in name: String) throws(AccessoryFileError) -> DocumentedEnd {
        try part(text, in: name) { session, field in session.end(field) }
    }

    private static func part<Part>(
        _ text: String,
        in name: String,
        _ read: (inout HomeSession, DefinitionField) -> Part?
    ) throws(AccessoryFileError) -> Part {
        var session = HomeSession()
        let map = text.first { !$0.isWhitespace } == "{" ? text : "{\(text)}"
        guard let (root, _) = DefinitionReader.compose(Array(map.utf8), in: name, &session.base.findings) else {
            throw AccessoryFileError(session.base.findings.ordered)
        }
        let field = DefinitionField(file: name, path: .root, node: root)
        let part = read(&session, field)
        if part == nil, !session.base.findings.hasErrors {
            session.base.findings.report(field, "it says nothing; write it as in a home file")
        }
        guard let part, !session.base.findings.hasErrors else {
            throw AccessoryFileError(session.base.findings.ordered)
        }
        return part
    }
}
