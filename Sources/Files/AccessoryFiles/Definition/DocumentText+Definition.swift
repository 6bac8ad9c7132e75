internal import Documents
internal import YAMLDocuments

extension DocumentText {
    /// The keys of which every definition has one at the top level.
    static let definitionKeys = ["accessory", "bridge"]

    /// Returns whether a text is a definition, possibly with errors: it names an accessory or a bridge at the top
    /// level.
    ///
    /// - Parameter root: The root of the text, or `nil` if its syntax is invalid.
    static func isDefinition(_ bytes: [UInt8], _ root: DocumentNode?) -> Bool {
        hasKey(among: definitionKeys, bytes, root)
    }

    /// Returns whether YAML or JSON, possibly with errors, has one of the keys at the top level.
    static func hasKey(among keys: [String], in bytes: [UInt8]) -> Bool {
        var diagnostics = DiagnosticCollector()
        return hasKey(among: keys, bytes, TextDocument.read(bytes, in: "", firstKey: "", &diagnostics)?.root.node)
    }

    private static func hasKey(among keys: [String], _ bytes: [UInt8], _ root: DocumentNode?) -> Bool {
        if let root {
            return root.mapping?.contains { keys.contains($0.key) } ?? false
        }
        let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
        let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let hasBraces = text.first { !blanks.contains($0) && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
        let lines = text.split { byte in
            byte == 0x0A || byte == 0x0D || hasBraces && [UInt8(ascii: "{"), UInt8(ascii: ",")].contains(byte)
        }
        return lines.contains { line in
            let line = hasBraces ? line.drop { blanks.contains($0) } : line
            let unquoted = line.drop { quotes.contains($0) }
            return keys.contains { key in
                unquoted.starts(with: key.utf8)
                    && unquoted.dropFirst(key.utf8.count).first { !quotes.contains($0) && !blanks.contains($0) }
                        == UInt8(ascii: ":")
            }
        }
    }
}
