/// How long to wait before another try: 1 second, then twice as long each time, up to a longest.
package enum RetryDelay {
    /// The delay after this many failures in a row, counted from 1.
    package static func after(failures: Int, longest: Duration = .seconds(30)) -> Duration {
        let exponent = min(max(failures, 1) - 1, 5)
        return min(.seconds(1 << exponent), longest)
    }
}
