extension Unicode.Scalar {
    /// Whether the character controls a terminal, breaks a line or changes the direction of a text.
    ///
    /// These are Unicode's categories Cc, Cf, Zl and Zp: the controls U+0000–U+001F and U+007F–U+009F, U+2028, U+2029,
    /// and formats such as U+202E and U+2066. Joiners of letters and of emoji are formats, too.
    package var isTerminalControl: Bool {
        // Most text is ASCII, and the table of categories is slow.
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
