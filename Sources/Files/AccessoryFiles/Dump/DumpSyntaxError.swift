internal import HAPCore

/// The messages for dumps that are not valid JSON.
enum DumpSyntaxError {
    /// Returns the message for an error of the JSON reader.
    ///
    /// - Parameter offset: The byte at which the reader stopped.
    static func reason(
        of error: ProtocolError,
        at offset: Int,
        in text: [UInt8],
        within limits: JSONLimits
    ) -> String {
        switch error.code {
        case .tooLarge where error.reason.contains("nested"):
            "this is not JSON: \(error.reason), \(limits.maximumDepth); dump the device again"
        case .tooLarge:
            "this is not JSON: \(error.reason), \(limits.maximumValues); divide it into several files"
        default:
            "this is not JSON: \(error.reason); \(remedy(for: error.reason, text: text, offset))"
        }
    }

    private static func remedy(for reason: String, text: [UInt8], _ offset: Int) -> String {
        let isInfinity = text[offset...].starts(with: "Infinity".utf8)
        if isInfinity || text[offset...].starts(with: "NaN".utf8) {
            return "JSON has no NaN and no infinity, so write a number, or null"
        }
        let end = text[..<offset].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let orRemoval = end == UInt8(ascii: ",") ? ", or remove the comma in front" : ""
        let remedies = [
            ("a value is missing", "write one, or dump the device again: the file may be cut off"),
            ("no value begins like this", "write a value\(orRemoval)"),
            ("neither true, false nor null", "write one of them, or put a text in double quotes"),
            ("needless zero", "remove the zero"),
            ("number", "write a number such as 1.5"), ("lacks its digits", "write a number such as 1.5"),
            ("does not end", "add a double quote, or dump the device again: the file may be cut off"),
            ("control character", "write it as an escape, as \\n"), ("not UTF-8", "save the file as UTF-8"),
            ("escape", "write \\\\ for a backslash, or \\u with four digits"),
            ("lone surrogate", "write both halves of the character, as \\ud83d\\ude00"),
            ("text after the end", "remove it"), ("there must be ,", "write one of them"),
            ("begins with its key", "write one in double quotes\(orRemoval)"),
            ("occurs twice", "remove one of them"), ("followed by :", "write it, and a value"),
        ]
        return remedies.first { reason.contains($0.0) }?.1 ?? "correct the text here, or dump the device again"
    }
}
