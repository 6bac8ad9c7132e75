internal import HAPCore

extension String {
    /// The text in quotes, on one line and not too long.
    package var quotedForDisplay: String {
        "\"\(shortenedForDisplay)\""
    }

    /// The text on one line and not too long: control characters as `\u{1B}`, since a terminal obeys them.
    package var shortenedForDisplay: String {
        var text = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            guard count < 80 else { return text + "…" }
            if scalar.isTerminalControl {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
