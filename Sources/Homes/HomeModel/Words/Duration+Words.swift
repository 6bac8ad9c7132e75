extension Duration {
    /// The duration as text, such as `5 min`, `1 h 30 min`, `12 s` or `0.5 s`; a negative one has a minus sign.
    package var phrase: String {
        if self < .zero { return "−" + (Duration.zero - self).phrase }
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        var parts: [String] = []
        if seconds >= 86_400 { parts.append("\(seconds / 86_400) d") }
        if seconds / 3_600 % 24 > 0 { parts.append("\(seconds / 3_600 % 24) h") }
        if seconds / 60 % 60 > 0 { parts.append("\(seconds / 60 % 60) min") }
        if milliseconds > 0 {
            parts.append("\(Double(seconds % 60) + Double(milliseconds) / 1_000) s")
        } else if seconds % 60 > 0 || parts.isEmpty {
            parts.append("\(seconds % 60) s")
        }
        return parts.joined(separator: " ")
    }
}
