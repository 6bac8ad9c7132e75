internal import HAPCore

/// A writer of texts in double quotes that readers convert back to the same bytes.
package enum QuotedText {
    /// The language, which determines the available escapes.
    package enum Language {
        case yaml
        case json
    }

    /// Returns the text in quotes.
    ///
    /// Characters that are not printable, such as combining marks, are escaped. Unbalanced brackets are escaped, too,
    /// because ``DocumentText`` limits the depth of brackets.
    package static func write(_ text: String, as language: Language) -> String {
        let hasOddBrackets = !hasBalancedBrackets(text)
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "[", "]", "{", "}":
                quoted += hasOddBrackets ? escape(scalar, language) : String(scalar)
            case " "..."~": quoted.unicodeScalars.append(scalar)
            default: quoted += isPrintable(scalar) ? String(scalar) : escape(scalar, language)
            }
        }
        return quoted + "\""
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.canonicalCombiningClass == .notReordered, !scalar.isTerminalControl else {
            return false
        }
        switch scalar.properties.generalCategory {
        case .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }

    private static func escape(_ scalar: Unicode.Scalar, _ language: Language) -> String {
        if language == .yaml, scalar.value > 0xFFFF { return "\\U" + scalar.value.paddedHexadecimal.uppercased() }
        return String(scalar).utf16.map { "\\u" + $0.paddedHexadecimal.uppercased() }.joined()
    }

    private static func hasBalancedBrackets(_ text: String) -> Bool {
        var depth = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            guard 0...4 ~= depth else { return false }
        }
        return depth == 0
    }
}
