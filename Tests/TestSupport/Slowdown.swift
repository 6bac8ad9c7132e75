import Foundation

/// How much slower than usual everything is, as whoever slows it down with a sanitizer tells through the environment.
package enum Slowdown {
    /// What to multiply a time by that is long compared with everything else.
    package static let factor = ProcessInfo.processInfo.environment["HAP_TEST_SLOWNESS"].flatMap(Int.init) ?? 1
}
