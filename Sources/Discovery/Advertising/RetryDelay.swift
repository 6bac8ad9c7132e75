/// How long an advertiser waits before it tries again: 1, 2, 4, 8, 16 and then always 30 seconds.
package enum RetryDelay {
    /// The delay after this many failures in a row, counted from 1.
    package static func after(failures: Int) -> Duration {
        let exponent = min(max(failures, 1) - 1, 5)
        return .seconds(min(1 << exponent, 30))
    }
}
