/// The moment until which finding and connecting may take, all steps of them together.
struct Deadline {
    private let end: ContinuousClock.Instant

    /// Begins now.
    init(after time: Duration) {
        end = .now.advanced(by: time)
    }

    /// What is left, never less than nothing; in tenths of a second, as it is told to people.
    var left: Duration {
        let left = ContinuousClock.now.duration(to: end)
        return .milliseconds(max(0, Int(left / .milliseconds(100) + 0.5)) * 100)
    }
}

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
