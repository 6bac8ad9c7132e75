internal import Documents
internal import HAPCore
internal import Yams

/// Writes texts in YAML, without quotes if every version of YAML reads them as texts.
enum YAMLScalar {
    /// Returns a text as a value, in quotes if necessary.
    static func text(_ text: String) -> String {
        isPlain(text) && !words.contains(text.lowercased()) ? text : QuotedText.write(text, as: .yaml)
    }

    /// Returns a text as a key, in quotes if necessary; `On` needs none, because definitions do not read it as `true`.
    static func key(_ text: String) -> String {
        isPlain(text) ? text : QuotedText.write(text, as: .yaml)
    }

    /// The words that older versions of YAML read as true or false.
    private static let words: Set<String> = ["y", "n", "yes", "no", "on", "off"]

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.last != UInt8(ascii: " "), text.utf8.count <= 512 else {
            return false
        }
        switch first {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: break
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard HAPUUID(text) != nil && text.utf8.count == 36 || isVersion(text) else { return false }
        default: return false
        }
        guard case .text = DocumentScalar(plain: text).meaning, text.lowercased() != "null" else { return false }
        return text.unicodeScalars.allSatisfy(isPlain)
    }

    /// Returns whether a text has a form such as `1.0.0`, which is not a number.
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count > 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", " ", "-", "_", ".", "/", "+", "(", ")", "=", "'", ";", "$": true
        case "\u{00}"..."\u{7F}": false
        default: scalar.properties.isAlphabetic && scalar.properties.canonicalCombiningClass == .notReordered
        }
    }
}
