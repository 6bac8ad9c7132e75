internal import Documents
internal import HAPCore
internal import Yams

/// An error of Yams in plain language.
struct YAMLErrorText {
    /// The position, or `nil` if it is unknown.
    let position: TextPosition?
    /// The error and its remedy.
    let reason: String

    init(_ error: any Error, in text: YAMLText) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
            position = text.position(mark)
            reason = "this is not YAML: \(problem); \(Self.remedy(for: problem))"
        case .composer(_, let problem, let mark, _):
            position = text.position(mark)
            reason =
                problem.contains("another document")
                ? "a second document begins here; move it to a file of its own"
                : "this is not YAML: \(problem); \(Self.remedy(for: problem))"
        case .duplicatedKeysInMapping(let keys, let context):
            position = text.position(context.mark)
            let key = keys.first.map { text.restored($0).quotedForDisplay + " " } ?? ""
            reason = "the key \(key)occurs twice in one map; remove one of them"
        case .reader(let problem, let offset, _, _):
            position = offset.flatMap { text.position(ofCharacter: $0) }
            reason =
                "this is not YAML: \(problem); write such a character as an escape in double quotes, such as \"\\x07\""
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded, nil:
            position = nil
            reason = "the text is not valid YAML; compare it with docs/definitions.md"
        }
    }

    private static func remedy(for problem: String) -> String {
        let remedies = [
            (
                "mapping values are not allowed",
                "quote a text that contains \": \", or indent the line like its neighbors"
            ),
            ("cannot start any token", "indent with spaces instead of tabs, or quote the text"),
            ("could not find expected ':'", "write \"key: value\", with a space after the colon"),
            ("did not find expected key", "indent the line like the keys above it"),
            ("did not find expected '-' indicator", "indent the line like the entries above it"),
            ("did not find expected ',' or", "close the list or map with ] or }, and separate its entries with commas"),
            ("unexpected end of stream", "close the quotes"),
            ("did not find expected alphabetic", "quote a text that begins with & or *"),
            ("tab", "indent with spaces"),
        ]
        return remedies.first { problem.contains($0.0) }?.1 ?? "correct the text before this place"
    }
}

extension YAMLText {
    /// Returns the position of a character by its index.
    fileprivate func position(ofCharacter offset: Int) -> TextPosition? {
        guard let end = yaml.index(yaml.startIndex, offsetBy: offset, limitedBy: yaml.endIndex) else { return nil }
        return TextPosition(ofByteAt: yaml[..<end].utf8.count, in: Array(yaml.utf8))
    }
}
