extension Duration {
    /// With one digit behind the point, such as `1.3 ms`.
    var inMilliseconds: String {
        let tenths = Int((self / .milliseconds(1) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// Whole microseconds, rounded.
    var inMicroseconds: Int {
        Int((self / .microseconds(1)).rounded())
    }
}
