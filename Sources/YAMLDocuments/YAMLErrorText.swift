internal import Documents
internal import HAPCore
internal import Yams

/// An error of Yams in plain words.
struct YAMLErrorText {
    /// The position; `nil` if unknown.
    let position: TextPosition?
    /// The error and its remedy.
    let reason: String

    init(_ error: any Error, in text: YAMLText) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
            position = text.position(mark)
            reason = "this is no YAML: \(problem); \(Self.remedy(for: problem))"
        case .composer(_, let problem, let mark, _):
            position = text.position(mark)
            reason =
                problem.contains("another document")
                ? "a second document begins here; a definition is one document, so put this one into another file"
                : "this is no YAML: \(problem); \(Self.remedy(for: problem))"
        case .duplicatedKeysInMapping(let keys, let context):
            position = text.position(context.mark)
            let key = keys.first.map { text.restored($0).quotedForDisplay + " " } ?? ""
            reason = "the key \(key)occurs twice in one map; remove one of them"
        case .reader(let problem, let offset, _, _):
            position = offset.flatMap { text.position(ofCharacter: $0) }
            reason = "this is no YAML: \(problem); write such a character as an escape in double quotes, as \"\\x07\""
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded, nil:
            position = nil
            reason = "the text cannot be read as YAML; hold it against docs/definitions.md"
        }
    }

    private static func remedy(for problem: String) -> String {
        let remedies = [
            (
                "mapping values are not allowed",
                "put a text with \": \" in quotes, or indent the line as its neighbors"
            ),
            ("cannot start any token", "indent with blanks, not with tabs, and put such a text in quotes"),
            ("could not find expected ':'", "write \"key: value\", with a blank after the colon"),
            ("did not find expected key", "indent the line as the keys above it"),
            ("did not find expected '-' indicator", "indent the line as the entries above it"),
            ("did not find expected ',' or", "close what is open with ] or }, and put commas between entries"),
            ("unexpected end of stream", "close the quotes"),
            ("did not find expected alphabetic", "put a text that begins with & or * in quotes"),
            ("tab", "indent with blanks"),
        ]
        return remedies.first { problem.contains($0.0) }?.1 ?? "correct the text in front of this place"
    }
}

extension YAMLText {
    /// Returns the position of the character with this number, from 0.
    fileprivate func position(ofCharacter offset: Int) -> TextPosition? {
        guard let end = yaml.index(yaml.startIndex, offsetBy: offset, limitedBy: yaml.endIndex) else { return nil }
        var position = TextPosition(line: 1, column: 1)
        for scalar in yaml[..<end].unicodeScalars {
            if scalar == "\n" {
                position = TextPosition(line: position.line + 1, column: 1)
            } else {
                position.column += 1
            }
        }
        return position
    }
}
