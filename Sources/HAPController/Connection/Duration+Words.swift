extension Duration {
    /// The duration for a sentence, such as `10 s` or `0.25 s`.
    var inWords: String {
        let (seconds, attoseconds) = components
        let thousandths = attoseconds / 1_000_000_000_000_000
        guard thousandths != 0 else { return "\(seconds) s" }
        var fraction = String(1_000 + thousandths).dropFirst()
        while fraction.last == "0" {
            fraction.removeLast()
        }
        return "\(seconds).\(fraction) s"
    }
}
