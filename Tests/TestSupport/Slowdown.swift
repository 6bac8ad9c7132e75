import Foundation

/// The factor by which everything is slower than usual, for example with a sanitizer; read from the environment.
package enum Slowdown {
    /// The factor for times that are long compared with everything else.
    package static let factor = ProcessInfo.processInfo.environment["HAP_TEST_SLOWNESS"].flatMap(Int.init) ?? 1
}
