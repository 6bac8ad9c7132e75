internal import HAPCore

extension String {
    /// The text with what breaks a line or steers a terminal as `\u{1B}`, for what a peer has written.
    ///
    /// Letters that are drawn as one, such as emoji of several people, stay.
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
