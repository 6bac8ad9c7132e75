internal import HAPCore

extension String {
    /// The text in quotes, on one line and shortened.
    package var quotedForDisplay: String {
        "\"\(shortenedForDisplay)\""
    }

    /// The text on one line and shortened to 80 characters.
    ///
    /// Control characters are written as `\u{1B}`, because a terminal would obey them.
    package var shortenedForDisplay: String {
        // Most texts are names and paths, which need no change.
        if utf8.count <= 80, utf8.allSatisfy({ $0 >= UInt8(ascii: " ") && $0 < 0x7F }) { return self }
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
