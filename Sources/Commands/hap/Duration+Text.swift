import HAPCore

extension Duration {
    /// The duration as a stopwatch shows it: `06:30:00.250`, with the number of days if there are any.
    ///
    /// A negative duration is shown as zero.
    var stopwatchText: String {
        let milliseconds = wholeMilliseconds
        let seconds = milliseconds / 1_000
        func two(_ number: Int64) -> String { String(number + 100).suffix(2).description }
        let days = seconds >= 86_400 ? "\(seconds / 86_400)d " : ""
        let clock = "\(two(seconds / 3_600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        return "\(days)\(clock).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
    }

    /// The number of complete milliseconds, at least 0.
    var wholeMilliseconds: Int64 {
        max(0, clampedNanoseconds / 1_000_000)
    }
}

extension Duration {
    /// The duration in milliseconds with one decimal, such as `1.3 ms`.
    var inMilliseconds: String {
        let tenths = Int((self / .milliseconds(1) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// The duration in microseconds, rounded.
    var inMicroseconds: Int {
        Int((self / .microseconds(1)).rounded())
    }
}
