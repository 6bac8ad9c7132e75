internal import HAPCore

extension String {
    /// The text with line breaks and terminal control characters escaped, such as `\u{1B}`.
    ///
    /// Use it for text from a peer. Characters of several scalars, such as emoji of several people, are unchanged.
    package var escapingControlCharacters: String {
        var text = ""
        for scalar in unicodeScalars {
            let isJoiner = scalar == "\u{200D}" || scalar == "\u{200C}"
            if scalar.isTerminalControl, !isJoiner {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
