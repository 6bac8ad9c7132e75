package import HAPCore

extension JSONSyntaxError {
    /// Returns the remedy for the error, as the end of its message.
    ///
    /// - Parameter isAfterComma: Whether a comma precedes the place of the error.
    package func remedy(isAfterComma: Bool) -> String {
        let orRemoval = isAfterComma ? ", or remove the comma in front" : ""
        return switch self {
        case .leadingZero: "remove the zero"
        case .missingDigits, .missingFraction, .tooManyDigits, .missingExponent, .outOfRange:
            "write a number such as 1.5"
        case .controlCharacter: "write it as an escape, as \\n"
        case .unterminatedString: "add a double quote"
        case .invalidUTF8: "save the file as UTF-8"
        case .invalidEscape, .missingHexadecimalDigits: "write \\\\ for a backslash, or \\u with four digits"
        case .loneSurrogate: "write both halves of the character, as \\ud83d\\ude00"
        case .textAfterEnd: "remove it"
        case .missingValue: "write one\(orRemoval)"
        case .unexpectedCharacter: "write a value\(orRemoval)"
        case .unterminatedArray, .unterminatedObject: "write one of them"
        case .missingKey: "write one in double quotes\(orRemoval)"
        case .duplicateKey: "remove one of them"
        case .missingColon: "write it, and a value"
        case .invalidLiteral: "write one of them, or put a text in double quotes"
        case .tooManyValues: "divide it into several files"
        case .tooDeep: "use fewer levels"
        }
    }
}
